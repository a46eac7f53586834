package main

import (
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/num"
	"gohopper/pkg/hopper/sanitize"
)

// program is a kernel ready to be loaded.
type program struct {
	text    string // PTX
	entry   string
	threads int // of a CTA
	shared  int // bytes of a CTA
}

// outcome is what a run came to.
type outcome struct {
	findings  []event.Finding
	result    *matrix.Matrix
	reference *matrix.Reference
}

// verdict compares the result with the answer.
func (o outcome) verdict() matrix.Report { return o.reference.Check(o.result) }

// spare is shared memory that a launch asks for beyond what the kernel
// declares. A kernel that forgot something finds memory there, as it does on a
// GPU when the launch was sized by another formula.
const spare = 16 << 10

// run launches an exhibit once on the emulator, under the sanitizer. A seed
// stands for the data and the schedule. The error says that it could not be
// run; a kernel that misbehaves has findings.
func (e Exhibit) run(repaired bool, seed int64) (o outcome, err error) {
	p, err := e.program(repaired)
	if err != nil {
		return o, err
	}
	m := emu.New(emu.Config{Seed: seed, Observe: sanitize.Observe})
	defer m.Close()
	mod, err := m.Load(p.text)
	if err != nil {
		return o, err
	}
	kernel, err := mod.Kernel(p.entry)
	if err != nil {
		return o, err
	}
	a, b := e.Base.operands(e.Base.shape, seed)
	reference, err := e.Base.answer(a, b)
	if err != nil {
		return o, err
	}
	h := host{dev: m}
	args, c := e.Base.arguments(&h, a, b, e.Fault == PlainMap && !repaired)
	if h.err != nil {
		return o, h.err
	}
	l := device.Launch{Grid: [3]int{e.Base.grid, 1, 1}, Block: [3]int{p.threads, 1, 1}, Shared: p.shared + spare}
	if err := kernel.Launch(l, args...); err != nil {
		return o, err
	}
	result := matrix.New(e.Base.shape.M, e.Base.shape.N, num.FormatF16)
	if err := m.Download(result.Bytes(), c); err != nil {
		return o, err
	}
	return outcome{m.Findings(), result, reference}, nil
}

// arguments uploads the operands, poisons C, and lays the parameters out as
// the comment of base says. With plain, the map of A does not swizzle.
func (s base) arguments(h *host, a, b *matrix.Matrix, plain bool) (args []device.Arg, c device.Ptr) {
	//region map
	boxA := s.boxA
	if plain {
		boxA.swizzle = device.SwizzleNone
	}
	//endregion map
	result := matrix.New(s.shape.M, s.shape.N, num.FormatF16)
	result.Poison()
	c = h.upload(result)
	args = append(args, h.tensorMap(h.upload(a), a, boxA), h.tensorMap(h.upload(b), b, s.boxB))
	if s.boxC != nil {
		args = append(args, h.tensorMap(c, result, *s.boxC))
	}
	for _, size := range []int{s.shape.M, s.shape.N, s.shape.K} {
		args = append(args, device.Int32(int32(size)))
	}
	if s.boxC == nil {
		args = append(args, device.Pointer(c))
	}
	return args, c
}

// host prepares memory on a device and keeps the first error.
type host struct {
	dev device.Device
	err error
}

func (h *host) keep(err error) {
	if h.err == nil {
		h.err = err
	}
}

func (h *host) upload(m *matrix.Matrix) device.Ptr {
	p, err := h.dev.Alloc(len(m.Bytes()))
	h.keep(err)
	if err == nil {
		h.keep(h.dev.Upload(p, m.Bytes()))
	}
	return p
}

func (h *host) tensorMap(at device.Ptr, m *matrix.Matrix, b box) device.Arg {
	t, err := h.dev.EncodeTiled(device.TensorMap{
		Type: device.MapF16, Address: at, Dims: []uint64{uint64(m.Cols), uint64(m.Rows)}, Strides: []uint64{uint64(2 * m.Cols)},
		Box: []uint32{uint32(b.cols), uint32(b.rows)}, Swizzle: b.swizzle,
	})
	h.keep(err)
	return device.Map(t)
}
