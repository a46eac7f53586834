package doctor

import (
	"encoding/binary"
	"errors"
	"fmt"

	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
	"gohopper/pkg/hopper/ptx"
)

// side is the size of the trial's matrices: one tile of one warpgroup.
const side = 64

// trial records C = A Bᵀ of one tile, loaded by TMA and multiplied by WGMMA.
func trial() (*hopper.Kernel, string, error) {
	k := hopper.New("trial", hopper.Threads(128))
	a, b := k.TensorMap("a"), k.TensorMap("b")
	n := k.Int32("n")
	c := k.Matrix("c", hopper.F16, n, n)
	sa := k.Shared(hopper.F16, side, side, hopper.Swizzle128B)
	sb := k.Shared(hopper.F16, side, side, hopper.Swizzle128B)
	full := k.Mbarrier()
	k.OneThread(func() {
		full.Init(1)
		k.FenceMbarrierInit()
		full.ArriveExpectTx(sa.Bytes() + sb.Bytes())
		k.TMALoad(sa, a.At(0, 0), full)
		k.TMALoad(sb, b.At(0, 0), full)
	})
	k.Sync()
	full.Wait(0)
	acc := k.Accumulator(side, side)
	acc.Zero()
	k.WgmmaFence()
	k.Wgmma(acc, sa, sb)
	k.WgmmaCommit()
	k.WgmmaWait(0)
	k.StoreGlobal(c, k.BlockIdx(0), k.BlockIdx(0), acc) // the only CTA has index 0
	m, err := k.Module()
	if err != nil {
		return nil, "", err
	}
	return k, ptx.Print(m), nil
}

// Try multiplies two matrices of small whole numbers on a device. The sums are
// exact in f16, so every element must agree.
func Try(dev device.Device) error {
	kernel, text, err := trial()
	if err != nil {
		return err
	}
	a := fill(func(i, j int) int { return (i + 2*j) % 5 })
	b := fill(func(i, j int) int { return (3*i + j) % 4 })
	var maps [2]device.EncodedMap
	for i, data := range [][]byte{a, b} {
		if maps[i], err = upload(dev, data); err != nil {
			return err
		}
	}
	c, err := dev.Alloc(len(a))
	if err != nil {
		return err
	}
	mod, err := dev.Load(text)
	if err != nil {
		return err
	}
	entry, err := mod.Kernel(kernel.Name())
	if err != nil {
		return err
	}
	launch := device.Launch{Grid: [3]int{1, 1, 1}, Block: [3]int{kernel.ThreadsPerCTA(), 1, 1}, Shared: kernel.SharedBytes()}
	err = errors.Join(entry.Launch(launch, device.Map(maps[0]), device.Map(maps[1]), device.Int32(side), device.Pointer(c)), dev.Synchronize())
	if err != nil {
		return err
	}
	if o, ok := dev.(device.Observer); ok {
		if found := o.Findings(); len(found) > 0 {
			return fmt.Errorf("a right kernel was blamed: %v", found[0])
		}
	}
	result := make([]byte, len(a))
	if err := dev.Download(result, c); err != nil {
		return err
	}
	return compare(a, b, result)
}

func upload(dev device.Device, data []byte) (device.EncodedMap, error) {
	p, err := dev.Alloc(len(data))
	if err != nil {
		return device.EncodedMap{}, err
	}
	if err := dev.Upload(p, data); err != nil {
		return device.EncodedMap{}, err
	}
	return dev.EncodeTiled(device.TensorMap{
		Type: device.MapF16, Address: p,
		Dims: []uint64{side, side}, Strides: []uint64{2 * side},
		Box: []uint32{side, side}, Swizzle: device.Swizzle128B,
	})
}

// fill makes a matrix of f16, row after row.
func fill(value func(row, col int) int) []byte {
	var data []byte
	for i := range side {
		for j := range side {
			data = binary.LittleEndian.AppendUint16(data, uint16(num.F16FromFloat32(float32(value(i, j)))))
		}
	}
	return data
}

func at16(data []byte, row, col int) float32 {
	return num.F16(binary.LittleEndian.Uint16(data[2*(row*side+col):])).Float32()
}

func compare(a, b, c []byte) error {
	for i := range side {
		for j := range side {
			var want float32
			for k := range side {
				want += at16(a, i, k) * at16(b, j, k)
			}
			if got := at16(c, i, j); got != want {
				return fmt.Errorf("the product is wrong: element (%d, %d) is %v and should be %v", i, j, got, want)
			}
		}
	}
	return nil
}
