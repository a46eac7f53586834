// Package formtest holds the emulator against an H200, one instruction form at a
// time.
//
// A micro-test is a kernel around one form. Those of scalar instructions are
// generated from the emulator's own table, so that a new line of it has tests at
// once or fails; the others are in hand_*_test.go. With -tags cuda,
//
//	go test -tags cuda ./pkg/hopper/emu/formtest -run TestGPU -record testdata/h200.json.gz
//
// runs all of them on a GPU, compares with the emulator, and records what the
// GPU gave. Without a GPU the emulator is compared with the recording. The page
// docs/validation.md is written from the two and from the kernels of the lessons.
//
// The package has only tests. It must not know how the emulator works: it uses
// its table of forms and, as a program that has a GPU would, package device.
package formtest

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
)

//go:embed testdata
var testdata embed.FS

const header = ".version 8.6\n.target sm_90a\n.address_size 64\n"

// micro is a kernel around one instruction form, or around a few that only
// work together. Its entry takes the addresses of its input and its output,
// then arg, and then a tensor map for each of maps.
type micro struct {
	group, name string
	forms       []string // the instructions under test
	text        string   // an entry "name", with declarations of the module before it
	launch      device.Launch
	in          []byte
	out         int    // bytes
	arg         []byte // behind the addresses, a parameter by value
	maps        func(in, out device.Ptr) []device.TensorMap
	op          string
	scalar      *scalar // of a generated test
	stops       bool    // a GPU stops there, and the emulator must say why
	within      string  // the bound of an approximation; "" for bit for bit
}

// scalars is a micro-test for every form of the scalar tables that ptxas takes,
// and one under a guard for the first of each line.
func scalars() []micro {
	refused := refusals()
	var all []micro
	seen := map[string]bool{}
	for _, line := range emu.Forms() {
		op, mods, _ := strings.Cut(line, " ")
		if slices.Contains(byHand, op) {
			continue
		}
		guarded := false // one form of the line has been
		for _, in := range expand(mods) {
			s := scalarOf(op, in)
			if refused[s.name] || seen[s.name] {
				continue
			}
			seen[s.name] = true
			m := micro{
				group: "scalar " + op, name: kernelName(s.name), forms: []string{s.name}, text: s.entry(kernelName(s.name), false),
				launch: device.Launch{Grid: [3]int{cases / 128, 1, 1}, Block: [3]int{128, 1, 1}},
				in:     operands(s.name, s.sources), out: 8 * cases * len(s.results),
				op: op, scalar: &s, within: bound(op, in),
			}
			all = append(all, m)
			if !guarded && !strings.HasPrefix(s.text, "{") {
				guarded = true
				m.name += "_guarded"
				m.text = s.entry(m.name, true)
				all = append(all, m)
			}
		}
	}
	return all
}

// refusals is the instructions that the emulator's lines describe and ptxas of
// CUDA 13.0 does not take.
func refusals() map[string]bool {
	refused := map[string]bool{}
	for _, name := range strings.Fields(read("refused.txt")) {
		refused[name] = true
	}
	return refused
}

// byHand is the opcodes of the tables whose micro-tests are written by hand.
var byHand = strings.Fields(`
	ld ldu st cvta isspacep prefetch prefetchu applypriority discard createpolicy atom red
	bra brx call ret exit trap brkpt shfl vote match redux elect activemask bar barrier mbarrier
	mapa getctarank cp tensormap ldmatrix stmatrix movmatrix mma wmma wgmma
	fence membar nanosleep griddepcontrol pmevent setmaxnreg`)

// kernelName makes an identifier of a form or of another name.
func kernelName(form string) string {
	return "k_" + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, form)
}

func read(name string) string {
	b, err := testdata.ReadFile("testdata/" + name)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// catalogue is all micro-tests, group by group.
func catalogue() []micro {
	return slices.Concat(scalars(), handwritten())
}

// perPart is the micro-tests of a module: so many assemble in seconds.
const perPart = 160

// parts cuts the micro-tests into modules. Those at which a GPU stops are by
// themselves.
func parts(all []micro) (list [][]micro) {
	var stopping []micro
	for _, m := range all {
		if m.stops {
			stopping = append(stopping, m)
		}
	}
	all = slices.DeleteFunc(slices.Clone(all), func(m micro) bool { return m.stops })
	for _, part := range [][]micro{all, stopping} {
		list = slices.AppendSeq(list, slices.Chunk(part, perPart))
	}
	return list
}

// module is the PTX of a part.
func module(group []micro) string {
	var b strings.Builder
	b.WriteString(header)
	for _, m := range group {
		b.WriteString(m.text)
	}
	return b.String()
}

// bench is a device with a module and room for inputs and outputs.
type bench struct {
	device.Device
	device.Module
	in, out device.Ptr
}

// begin loads the PTX of micro-tests.
func begin(d device.Device, group []micro) (*bench, error) {
	mod, err := d.Load(module(group))
	if err != nil {
		return nil, err
	}
	most := 256
	for _, m := range group {
		most = max(most, len(m.in), m.out)
	}
	in, err := d.Alloc(most)
	if err != nil {
		return nil, err
	}
	out, err := d.Alloc(most)
	return &bench{d, mod, in, out}, err
}

// run executes the micro-tests of a part, one module, and returns their
// outputs.
func run(d device.Device, group []micro) (outs [][]byte, err error) {
	b, err := begin(d, group)
	if err != nil {
		return nil, err
	}
	for _, m := range group {
		out, err := m.runOn(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if err := m.found(d); err != nil {
			return nil, err
		}
		outs = append(outs, out)
	}
	return outs, d.Close()
}

// key names the micro-test in a recording.
func (m micro) key() string { return m.group + " " + m.name }

// found asks a device that explains itself: a correct kernel leaves no finding,
// and one at which a GPU stops does.
func (m micro) found(d device.Device) error {
	o, ok := d.(device.Observer)
	if !ok {
		return nil
	}
	switch found := o.Findings(); {
	case m.stops && len(found) == 0:
		return fmt.Errorf("%s: the emulator finds nothing wrong, and a GPU stops", m.name)
	case !m.stops && len(found) > 0:
		return fmt.Errorf("%s: a finding in a correct kernel: %v", m.name, found[0])
	}
	return nil
}

// runOn executes the kernel and gives its output.
func (m micro) runOn(b *bench) ([]byte, error) {
	k, err := b.Kernel(m.name)
	if err != nil {
		return nil, err
	}
	if len(m.in) > 0 {
		if err := b.Upload(b.in, m.in); err != nil {
			return nil, err
		}
	}
	if err := b.Fill(b.out, 0xA5, m.out); err != nil {
		return nil, err
	}
	args := []device.Arg{device.Pointer(b.in), device.Pointer(b.out)}
	if m.arg != nil {
		args = append(args, device.Arg(m.arg))
	}
	if m.maps != nil {
		for _, t := range m.maps(b.in, b.out) {
			e, err := b.EncodeTiled(t)
			if err != nil {
				return nil, err
			}
			args = append(args, device.Map(e))
		}
	}
	if err := k.Launch(m.launch, args...); err != nil {
		return nil, err
	}
	if err := b.Synchronize(); err != nil {
		return nil, err
	}
	out := make([]byte, m.out)
	return out, b.Download(out, b.out)
}
