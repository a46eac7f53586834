package formtest

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"gohopper/pkg/hopper/device"
)

// shape is what surrounds a handwritten body. In the body %in and %out point
// at the thread's cells of the buffers, %inbase and %outbase at their
// beginnings; %tx, %lane, %cta and %id (over all CTAs) count from 0. Registers
// of each width are declared: %h, %r, %f, %d, %x and predicates %p.
type shape struct {
	threads, ctas, cluster int
	in, out                int // bytes of a thread's cells
	outputs                int // bytes of the output where it is not threads times cell
	input                  []byte
	shared                 int    // bytes of dynamic shared memory, "dyn"
	decl                   string // of the module
	vars                   string // of the entry
	arg                    []byte // a parameter of that name, aligned to 16 bytes
	maps                   func(in, out device.Ptr) []device.TensorMap
}

// hand makes a micro-test of a body in PTX. The instructions under test have an
// exclamation mark before them.
func hand(group, name string, s shape, body string) micro {
	s.threads, s.ctas, s.cluster = max(s.threads, 32), max(s.ctas, 1), max(s.cluster, 1)
	m := micro{
		group: group, name: kernelName(name), maps: s.maps, in: s.input, arg: s.arg,
		launch: device.Launch{Grid: [3]int{s.ctas, 1, 1}, Block: [3]int{s.threads, 1, 1}, Shared: s.shared},
		out:    s.threads * s.ctas * s.out,
	}
	if s.outputs > 0 {
		m.out = s.outputs
	}
	if s.cluster > 1 {
		m.launch.Cluster = [3]int{s.cluster, 1, 1}
	}
	if m.in == nil {
		m.in = noise(name, s.threads*s.ctas*s.in)
	}
	lines := strings.Split(body, "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		if before, tested, ok := strings.Cut(l, "!!"); ok {
			l = before + tested
			form, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(tested), ";"), " ")
			if !slices.Contains(m.forms, form) {
				m.forms = append(m.forms, form)
			}
		}
		lines[i] = "\t" + l
	}
	params, decl := "", s.decl
	if s.arg != nil {
		params = fmt.Sprintf(", .param .align 16 .b8 arg[%d]", len(s.arg))
	}
	if s.maps != nil {
		for i := range s.maps(1<<20, 1<<21) {
			params += fmt.Sprintf(", .param .align 64 .b8 map%d[128]", i)
		}
	}
	if s.shared > 0 {
		decl += ".extern .shared .align 1024 .b8 dyn[];\n"
	}
	m.text = fmt.Sprintf(`%s.visible .entry %s(.param .u64 in, .param .u64 out%s)
.maxntid %d, 1, 1
{
	.reg .b64 %%in, %%out, %%inbase, %%outbase;
	.reg .b32 %%tx, %%lane, %%cta, %%id;
	.reg .pred %%p<16>;
	.reg .b16 %%h<16>;
	.reg .b32 %%r<300>;
	.reg .f32 %%f<16>;
	.reg .b64 %%d<32>;
	.reg .f64 %%x<8>;
%s	ld.param.u64 %%inbase, [in];
	ld.param.u64 %%outbase, [out];
	mov.u32 %%tx, %%tid.x;
	mov.u32 %%lane, %%laneid;
	mov.u32 %%cta, %%ctaid.x;
	mad.lo.u32 %%id, %%cta, %d, %%tx;
	mul.wide.u32 %%in, %%id, %d;
	add.u64 %%in, %%in, %%inbase;
	mul.wide.u32 %%out, %%id, %d;
	add.u64 %%out, %%out, %%outbase;
%s
	ret;
}
`, decl, m.name, params, s.threads, s.vars, s.threads, s.in, s.out, strings.Join(lines, "\n"))
	return m
}

// noise is random bytes that a name fixes.
func noise(name string, n int) []byte {
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), 9))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// handwritten is the micro-tests that no table generates.
func handwritten() []micro {
	return slices.Concat(warpTests(), memoryTests(), atomicTests(), controlTests(), barrierTests(), mbarrierTests(), copyTests(), bulkTests(), clusterTests(), matrixTests(), stopTests())
}
