package lab

import (
	"fmt"
	"time"

	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/ptx"
)

// Product is the data of C = A·Bᵀ on a device.
type Product struct {
	Shape            matrix.Shape
	Elem             Elem
	A, B             *matrix.Matrix
	ptrA, ptrB, ptrC device.Ptr
	seed             int64
	dev              device.Device
	modules          []device.Module
}

// NewProduct fills A and B with seeded normal values and uploads them.
func NewProduct(dev device.Device, s matrix.Shape, e Elem, seed int64) (*Product, error) {
	p := &Product{Shape: s, Elem: e, dev: dev, seed: seed}
	p.A = matrix.Fill(s.M, s.K, e.Format, uint64(seed), 0)
	p.B = matrix.Fill(s.N, s.K, e.Format, uint64(seed), 1)
	var err error
	if p.ptrA, err = p.upload(p.A); err != nil {
		return nil, err
	}
	if p.ptrB, err = p.upload(p.B); err != nil {
		return nil, err
	}
	p.ptrC, err = dev.Alloc(s.M * s.N * e.Format.Size())
	return p, err
}

func (p *Product) upload(m *matrix.Matrix) (device.Ptr, error) {
	ptr, err := p.dev.Alloc(len(m.Bytes()))
	if err != nil {
		return 0, err
	}
	return ptr, p.dev.Upload(ptr, m.Bytes())
}

// Reference computes what the product's results are checked against.
func (p *Product) Reference() (*matrix.Reference, error) {
	return matrix.NewReference(p.A, p.B, matrix.Options{Seed: uint64(p.seed)})
}

// Work records, loads and binds a kernel. The lesson's name and the tile's
// parameters are for the record.
func (p *Product) Work(lesson string, k *hopper.Kernel, plan Plan, tile map[string]int) (*Work, error) {
	m, err := k.Module()
	if err != nil {
		return nil, err
	}
	text := ptx.Print(m)
	args, err := p.arguments(plan)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	mod, err := p.dev.Load(text)
	if err != nil {
		return nil, err
	}
	compile := time.Since(start)
	p.modules = append(p.modules, mod)
	kernel, err := mod.Kernel(k.Name())
	if err != nil {
		return nil, err
	}
	launch := device.Launch{Grid: plan.Grid, Block: [3]int{k.ThreadsPerCTA(), 1, 1}, Shared: k.SharedBytes(), Overlap: plan.Overlap}
	return &Work{
		Lesson: lesson, Kernel: k.Name(), Tile: tile,
		Shape: p.Shape, Elem: p.Elem, A: p.A, B: p.B,
		PtrA: p.ptrA, PtrB: p.ptrB, PtrC: p.ptrC,
		Text: text, Log: mod.Log(), Compile: compile, Resources: kernel.Resources(),
		Threads: k.ThreadsPerCTA(), Shared: k.SharedBytes(), CTAs: plan.Grid[0] * plan.Grid[1] * plan.Grid[2],
		Launch: func() error { return kernel.Launch(launch, args...) },
	}, nil
}

// arguments lays the kernel's parameters out as Plan says.
func (p *Product) arguments(plan Plan) ([]device.Arg, error) {
	a, err := p.tensorMap("A", p.ptrA, p.Shape.M, p.Shape.K, plan.BoxA)
	if err != nil {
		return nil, err
	}
	b, err := p.tensorMap("B", p.ptrB, p.Shape.N, p.Shape.K, plan.BoxB)
	if err != nil {
		return nil, err
	}
	args := []device.Arg{a, b}
	if plan.BoxC != nil {
		c, err := p.tensorMap("C", p.ptrC, p.Shape.M, p.Shape.N, *plan.BoxC)
		if err != nil {
			return nil, err
		}
		args = append(args, c)
	}
	for _, size := range []int{p.Shape.M, p.Shape.N, p.Shape.K} {
		args = append(args, device.Int32(int32(size)))
	}
	if plan.BoxC == nil {
		args = append(args, device.Pointer(p.ptrC))
	}
	return args, nil
}

var swizzles = map[hopper.Swizzle]device.Swizzle{
	hopper.Swizzle64B: device.Swizzle64B, hopper.Swizzle128B: device.Swizzle128B,
}

func (p *Product) tensorMap(name string, at device.Ptr, rows, cols int, box Box) (device.Arg, error) {
	m, err := p.dev.EncodeTiled(device.TensorMap{
		Type:        p.Elem.Map,
		Address:     at,
		Dims:        []uint64{uint64(cols), uint64(rows)},
		Strides:     []uint64{uint64(cols * p.Elem.Format.Size())},
		Box:         []uint32{uint32(box.Cols), uint32(box.Rows)},
		Swizzle:     swizzles[box.Swizzle],
		L2Promotion: device.L2256B,
	})
	if err != nil {
		return nil, fmt.Errorf("tensor map of %s: %w", name, err)
	}
	return device.Map(m), nil
}

// Close unloads the kernels and frees the matrices.
func (p *Product) Close() error {
	var first error
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
	for _, m := range p.modules {
		keep(m.Close())
	}
	for _, ptr := range []device.Ptr{p.ptrA, p.ptrB, p.ptrC} {
		keep(p.dev.Free(ptr))
	}
	return first
}
