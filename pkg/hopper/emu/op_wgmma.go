package emu

import (
	"slices"
	"strconv"
	"strings"

	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// wgmmaForms is the instructions of a warpgroup (PTX 9.7.15). Those of
// wgmma.mma_async are matched without their shape.
var wgmmaForms = []form{
	{"fence sync aligned", compileWgmmaFence},
	{"commit_group sync aligned", compileWgmmaCommit},
	{"wait_group sync aligned", compileWgmmaWait},
	{"mma_async sync aligned f16|f32 f16 f16", compileWgmma},
	{"mma_async sync aligned f32 bf16 bf16", compileWgmma},
	{"mma_async sync aligned f32 tf32 tf32", compileWgmma},
	{"mma_async sync aligned f16|f32 e4m3|e5m2 e4m3|e5m2", compileWgmma},
	{"mma_async sync aligned s32 s8|u8 s8|u8", compileWgmma},
}

// shapeAt is where the opcode has its shape: wgmma.mma_async.sync.aligned.m64n8k16.
const shapeAt = 3

func wgmmaFamily(c *compiler, in *ptx.Instr) op {
	mods := in.Mods
	if len(mods) > shapeAt {
		mods = slices.Delete(slices.Clone(mods), shapeAt, shapeAt+1)
	}
	for _, f := range wgmmaForms {
		if f.matches(mods) {
			return f.compile(c, in)
		}
	}
	return c.unsupported()
}

// compileWgmmaFence: registers are read and written when an operation
// completes, after the fence in any case, so there is nothing to order here.
func compileWgmmaFence(c *compiler, _ *ptx.Instr) op {
	c.args(0, 0)
	return nop
}

func compileWgmmaCommit(c *compiler, _ *ptx.Instr) op {
	c.args(0, 0)
	return func(w *warp, _ mask) *wait {
		if g := w.warpgroup(); g != nil {
			g.commit(w)
			w.tell(w.live, event.Event{Kind: event.Commit, Unit: event.TensorCore})
		}
		return nil
	}
}

func compileWgmmaWait(c *compiler, _ *ptx.Instr) op {
	most := int(c.immediate(c.args(1, 1)[0]))
	return func(w *warp, _ mask) *wait {
		g := w.warpgroup()
		if g == nil || g.open(w) <= most {
			w.tell(w.live, event.Event{Kind: event.WaitGroup, Unit: event.TensorCore, N: most})
			return nil
		}
		return g.wait(w, most)
	}
}

// wgmma is a compiled wgmma.mma_async.
type wgmma struct {
	left, right tensor.Operand
	result      tensor.Type
	d           []int // rows of D's registers
	aRegisters  []int // rows of A's registers, nil if A is in shared memory
	a, b        int   // rows of the descriptors
	scaleD      int   // row of the predicate
	scaleDNot   bool
	negative    bool // imm-scale-a and imm-scale-b differ
}

// compileWgmma compiles wgmma.mma_async. In a debug build the compiler copies D
// to memory right behind the instruction, and ptxas waits there for the result
// (seen in what ptxas of CUDA 13.0 makes of such builds); so does the emulator.
func compileWgmma(c *compiler, in *ptx.Instr) op {
	x := c.wgmma(in.Mods[shapeAt], in.Mods[shapeAt+1:])
	if c.prog.debug() {
		c.after = waitForWgmma
	}
	return func(w *warp, m mask) *wait {
		g := w.warpgroup()
		if g == nil {
			w.report(m, event.Finding{
				Rule: "wgmma", Severity: event.Error,
				Message: "the warp is not part of a warpgroup, four warps of which the first has a number divisible by four",
				Advice:  "launch a multiple of 128 threads, and let warps 4i to 4i+3 execute wgmma together",
			})
			return nil
		}
		scaleD := w.p[x.scaleD]
		if x.scaleDNot {
			scaleD = ^scaleD
		}
		if scaleD &= m; scaleD != 0 && scaleD != m {
			w.report(m, event.Finding{
				Rule: "wgmma", Severity: event.Error,
				Message: "scale-d is not the same in all threads of the warp",
				Advice:  "compute the predicate from values that all 128 threads share",
			})
		}
		p := &tileProduct{wgmma: x, by: w.agent(m), accumulate: scaleD != 0, warps: 1 << w.place()}
		p.by.role = "tensor core"
		if x.aRegisters == nil {
			p.a = w.descriptor(x.a, m)
		}
		p.b = w.descriptor(x.b, m)
		g.issue(w, p)
		return nil
	}
}

// waitForWgmma waits for all that the warp has issued, committed or not.
func waitForWgmma(w *warp, _ mask) *wait {
	g := w.warpgroup()
	if g == nil || g.drained(w) {
		return nil
	}
	return &wait{
		ready: func() bool { return g.drained(w) },
		explain: func() (string, []string) {
			return "waits for its wgmma.mma_async, as debug builds do", g.missing()
		},
	}
}

// descriptor reads a matrix descriptor, which must be the same in every lane.
func (w *warp) descriptor(row int, m mask) tensor.Descriptor {
	lane := m.first()
	d := w.d[row][lane]
	for rest := m; rest != 0; rest &= rest - 1 {
		if o := w.d[row][rest.first()]; o != d {
			w.report(m, event.Finding{
				Rule: "wgmma", Severity: event.Error,
				Message: "a matrix descriptor is not the same in all threads of the warp",
				Details: []string{
					"lane " + itoa(lane) + ": " + strconv.FormatUint(d, 16),
					"lane " + itoa(rest.first()) + ": " + strconv.FormatUint(o, 16),
				},
				Advice: "compute descriptors from values that all 128 threads share",
			})
			break
		}
	}
	return tensor.Descriptor(d)
}

// wgmma compiles the operands. After D, A, B and scale-d come, but for
// integers, the signs of A and B, and for 16-bit types whether A, if it has a
// descriptor, and B are MN-major. ptx.Verify has checked them.
func (c *compiler) wgmma(shape string, types []string) *wgmma {
	n, _, _ := strings.Cut(strings.TrimPrefix(shape, "m64n"), "k")
	columns, err := strconv.Atoi(n)
	if err != nil {
		panic("emulator: the verifier lets the shape " + shape + " pass")
	}
	x := &wgmma{
		left:   tensor.Operand{Type: tensorTypes[types[1]], Rows: 64},
		right:  tensor.Operand{Type: tensorTypes[types[2]], Rows: columns},
		result: tensorTypes[types[0]],
	}
	args := c.args(4, 8)
	x.d = c.fragmentTo(args[0])
	if list, ok := args[1].(ptx.Vec); ok {
		x.aRegisters = c.fragment(list)
	} else {
		x.a = c.src64(args[1])
	}
	x.b = c.src64(args[2])
	x.scaleD, x.scaleDNot = c.srcPred(args[3])
	if flags := args[4:]; len(flags) > 0 {
		x.negative = c.immediate(flags[0]) != c.immediate(flags[1])
		if len(flags) > 2 {
			x.right.MNMajor = c.immediate(flags[len(flags)-1]) == 1
		}
		if len(flags) > 3 {
			x.left.MNMajor = c.immediate(flags[2]) == 1
		}
	}
	return x
}
