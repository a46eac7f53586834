package tensortest

import (
	"encoding/binary"
	"fmt"
	"slices"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu/tensor"
)

// tile is the operands of one execution: element codes, A by row and k, B by
// column and k, C by row and column.
type tile struct{ a, b, c []uint32 }

func (in instruction) newTile() tile {
	return tile{make([]uint32, in.rows()*in.k), make([]uint32, in.n*in.k), make([]uint32, in.outputs())}
}

// execute runs the instruction on every tile, one launch in all, and returns
// each D by row and column.
func (in instruction) execute(d device.Device, tiles []tile) ([][]uint32, error) {
	if len(tiles) == 0 {
		return nil, nil
	}
	mod, err := d.Load(in.text())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in, err)
	}
	defer mod.Close()
	k, err := mod.Kernel("probe")
	if err != nil {
		return nil, err
	}
	bytesD := in.registersD() * in.threads() * 4
	images := [4][]byte{
		make([]byte, len(tiles)*in.bytesA()), make([]byte, len(tiles)*in.bytesB()),
		make([]byte, len(tiles)*bytesD), make([]byte, len(tiles)*bytesD),
	}
	for i, t := range tiles {
		a := t.a
		if in.way == negated { // what the tile has is what is multiplied
			a = slices.Clone(a)
			for i := range a {
				a[i] ^= in.a.signBit()
			}
		}
		in.packOperand(images[0][i*in.bytesA():][:in.bytesA()], a, in.a, true)
		in.packOperand(images[1][i*in.bytesB():][:in.bytesB()], t.b, in.b, false)
		in.eachD(func(at, row, column int) {
			put(images[2][i*bytesD+at:], in.d.t.Bytes(), t.c[row*in.n+column])
		})
	}
	var args []device.Arg
	var result device.Ptr
	for _, image := range images {
		p, err := d.Alloc(len(image))
		if err != nil {
			return nil, err
		}
		defer d.Free(p)
		if err := d.Upload(p, image); err != nil {
			return nil, err
		}
		args, result = append(args, device.Pointer(p)), p
	}
	launch := device.Launch{Grid: [3]int{len(tiles), 1, 1}, Block: [3]int{in.threads(), 1, 1}}
	if err := k.Launch(launch, args...); err != nil {
		return nil, fmt.Errorf("%s: %w", in, err)
	}
	if err := d.Synchronize(); err != nil {
		return nil, fmt.Errorf("%s: %w", in, err)
	}
	if err := d.Download(images[3], result); err != nil {
		return nil, err
	}
	all := make([][]uint32, len(tiles))
	for i := range all {
		all[i] = make([]uint32, in.outputs())
		in.eachD(func(at, row, column int) {
			all[i][row*in.n+column] = get(images[3][i*bytesD+at:], in.d.t.Bytes())
		})
	}
	return all, nil
}

// packOperand lays an operand out as the kernel reads it.
func (in instruction) packOperand(to []byte, codes []uint32, f format, left bool) {
	size := f.t.Bytes()
	if in.async && !(left && in.way == registers) {
		for i, code := range codes {
			row, at := i/in.k, i%in.k*size
			put(to[row/8*256+at/16*128+row%8*16+at%16:], size, code)
		}
		return
	}
	registers := len(to) / 4 / in.threads()
	for thread := range in.threads() {
		for q := range registers {
			place := f.t.RightAt
			if left {
				place = f.t.LeftAt
			}
			row, k := place(thread%32, q)
			row += thread / 32 * tensor.StripRows
			for e := range 4 / size {
				put(to[(thread*registers+q)*4+e*size:], size, codes[row*in.k+k+e])
			}
		}
	}
}

// eachD visits the elements of D with the byte at which each lies.
func (in instruction) eachD(visit func(at, row, column int)) {
	registers := in.registersD()
	for thread := range in.threads() {
		for q := range registers {
			at, strip := (thread*registers+q)*4, thread/32*tensor.StripRows
			if in.d.t == tensor.F16 {
				row, column := tensor.HalfAccumulatorAt(thread%32, q)
				visit(at, strip+row, column)
				visit(at+2, strip+row, column+1)
			} else {
				row, column := tensor.AccumulatorAt(thread%32, q)
				visit(at, strip+row, column)
			}
		}
	}
}

// emulate is what the emulator's arithmetic makes of a tile, without the rest of
// the emulator; of wgmma only the first strips*16 rows.
func (in instruction) emulate(s *tensor.Scratch, t tile, strips int) []uint32 {
	a, b := make([]tensor.Column, strips*in.k), make([]float32, in.n*in.k)
	d := make([]tensor.Column, strips*in.n)
	for row := range strips * tensor.StripRows {
		strip, r := row/tensor.StripRows, row%tensor.StripRows
		for k := range in.k {
			a[strip*in.k+k][r] = float32(in.a.value(t.a[row*in.k+k]))
		}
		for n := range in.n {
			d[strip*in.n+n][r] = float32(in.d.value(t.c[row*in.n+n]))
		}
	}
	for i, code := range t.b {
		b[i] = float32(in.b.value(code))
	}
	in.arithmetic().Multiply(s, d, a, tensor.Right{Elements: b, StepN: in.k, StepK: 1}, in.n)
	codes := make([]uint32, strips*tensor.StripRows*in.n)
	for i := range codes {
		row, n := i/in.n, i%in.n
		codes[i] = in.d.rounded(float64(d[row/tensor.StripRows*in.n+n][row%tensor.StripRows]))
	}
	return codes
}

// predict is what the model says of a tile.
func (in instruction) predict(t tile) []uint32 {
	d := make([]uint32, in.outputs())
	for i := range d {
		row, n := i/in.n, i%in.n
		d[i] = in.model.sum(in.a, in.b, in.d, t.a[row*in.k:][:in.k], t.b[n*in.k:][:in.k], t.c[i])
	}
	return d
}

func put(to []byte, size int, code uint32) {
	switch size {
	case 1:
		to[0] = byte(code)
	case 2:
		binary.LittleEndian.PutUint16(to, uint16(code))
	default:
		binary.LittleEndian.PutUint32(to, code)
	}
}

func get(from []byte, size int) uint32 {
	if size == 2 {
		return uint32(binary.LittleEndian.Uint16(from))
	}
	return binary.LittleEndian.Uint32(from)
}
