package emu

import (
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// memoryForms are loads, stores and what deals with addresses (PTX 9.7.9).
var memoryForms = map[string][]form{
	"ld": {
		{"?weak ?" + loadSpaces + " ?ca|cg|cs|lu|cv " + hints + " ?L2::64B|L2::128B|L2::256B ?v2|v4 " + elements, compileLoad},
		{"?global ?ca|cg|cs nc " + hints + " ?L2::64B|L2::128B|L2::256B ?v2|v4 " + elements, compileLoad},
		{"volatile ?" + loadSpaces + " ?L2::64B|L2::128B|L2::256B ?v2|v4 " + elements, compileLoad},
		{"relaxed|acquire " + scopes + " ?" + sharedSpaces + " " + hints + " ?L2::64B|L2::128B|L2::256B ?v2|v4 " + elements, compileLoad},
		{"mmio relaxed sys ?global " + elements, compileLoad},
	},
	"ldu": {{"?global ?v2|v4 " + elements, compileLoad}},
	"st": {
		{"?weak ?" + storeSpaces + " ?wb|cg|cs|wt " + hints + " ?v2|v4 " + elements, compileStore},
		{"volatile ?" + storeSpaces + " ?v2|v4 " + elements, compileStore},
		{"relaxed|release " + scopes + " ?" + sharedSpaces + " " + hints + " ?v2|v4 " + elements, compileStore},
		{"mmio relaxed sys ?global " + elements, compileStore},
		{"async ?weak ?shared::cluster mbarrier::complete_tx::bytes ?v2|v4 b32|b64|u32|u64|s32|s64|f32|f64", compileStoreAsync},
	},
	"cvta":     {{"?to global|local|shared|shared::cta|shared::cluster|const|param|param::entry u64", compileCvta}},
	"isspacep": {{"global|local|shared|shared::cta|shared::cluster|const|param|param::entry", compileIsspacep}},

	"prefetch":      {{"?global|local L1|L2", compileHint}, {"global L2::evict_last|L2::evict_normal", compileHint}, {"?const|param tensormap", compileHint}},
	"prefetchu":     {{"L1", compileHint}},
	"applypriority": {{"?global L2::evict_normal", compileHint}},
	"discard":       {{"?global L2", compileHint}},
	"createpolicy": {
		{"fractional L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged ?L2::evict_first|L2::evict_unchanged b64", compilePolicy},
		{"range ?global L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged ?L2::evict_first|L2::evict_unchanged b64", compilePolicy},
		{"cvt L2 b64", compilePolicy},
	},
}

const (
	elements     = "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"
	sharedSpaces = "global|shared|shared::cta|shared::cluster" // that threads share
	storeSpaces  = sharedSpaces + "|local|param|param::func"
	loadSpaces   = storeSpaces + "|param::entry|const"
	scopes       = "cta|cluster|gpu|sys"
	hints        = "?L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate ?L2::cache_hint"
)

// transfer is a load or a store: per lane, one to four elements between
// registers and consecutive memory.
type transfer struct {
	space  space
	addr   address
	regs   []register
	elem   int // bytes of an element
	signed bool
	strong bool // .volatile, .relaxed, .acquire, .release, .mmio: other clusters may act at the same time
}

// transfer reads the parts of the opcode that ld and st share.
func (c *compiler) transfer(mem, regs ptx.Operand) *transfer {
	t := &transfer{space: c.space(), addr: c.address(mem)}
	var typ ptx.Type
	for _, m := range c.in.Mods {
		switch {
		case m == "volatile", m == "relaxed", m == "acquire", m == "release", m == "mmio":
			t.strong = true
		case typeBits(ptx.Type(m)) != 0:
			typ = ptx.Type(m)
		case m == "weak", m == "global", m == "local", m == "const", m == "nc",
			strings.HasPrefix(m, "shared"), strings.HasPrefix(m, "param"),
			m == "v2", m == "v4", m == "v8", m == "cta", m == "cluster", m == "gpu", m == "sys",
			m == "ca", m == "cg", m == "cs", m == "lu", m == "cv", m == "wb", m == "wt",
			strings.HasPrefix(m, "L1::"), strings.HasPrefix(m, "L2::"):
		default:
			c.unsupported()
		}
	}
	t.elem = typeBits(typ) / 8
	t.signed = strings.HasPrefix(string(typ), "s")
	if t.elem == 0 {
		c.unsupported()
	}
	for _, o := range c.elements(regs) {
		t.regs = append(t.regs, c.data(o, t.elem))
	}
	return t
}

// data is where an element of a transfer lives: a register at least as wide as
// the element, or for a store a constant.
func (c *compiler) data(o ptx.Operand, elem int) register {
	switch o := o.(type) {
	case ptx.Reg:
		r := c.source(o.Name)
		if r.kind == kindPred || r.bits < 8*elem {
			c.failf("%s is too narrow for %d bytes", o.Name, elem)
		}
		return r
	case ptx.Sink:
		if elem == 16 {
			return register{kind128, c.dst128(o), 128}
		}
		return register{kind64, c.dst64(o), 64}
	}
	if elem == 8 {
		return register{kind64, c.src64(o), 64}
	}
	return register{kind32, c.src32(o), 32}
}

func compileLoad(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 3)
	t := c.transfer(args[1], args[0])
	if c.err != nil {
		return nop
	}
	for i, o := range c.elements(args[0]) { // not a special register
		if _, ok := o.(ptx.Reg); ok {
			c.destination(o, t.regs[i].kind)
		}
	}
	return t.load
}

func compileStore(c *compiler, _ *ptx.Instr) op {
	args := c.args(2, 3)
	return c.transfer(args[0], args[1]).store
}

// compileCvta converts between a space and generic addresses: "cvta.shared"
// to generic, "cvta.to.shared" from it.
func compileCvta(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 2)
	s := c.space()
	if s == spaceGeneric || !in.Has("u64") {
		return c.unsupported()
	}
	d, window := c.dst64(args[0]), windows[s]
	var from address
	if a, ok := args[1].(ptx.Addr); ok {
		from = c.address(a)
	} else {
		from = c.pointer(args[1], 0)
	}
	to := in.Has("to")
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			a := from.at(w, lane)
			switch outer, inner := split(a); {
			case to && outer == s:
				a = inner
			case !to && outer == spaceGlobal:
				a += window // an argument of a call has its window already
			}
			w.d[d][lane] = a
		}
		return nil
	}
}

// compileIsspacep asks which space a generic address is in.
func compileIsspacep(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 2)
	s := c.space()
	own := in.Has("shared") || in.Has("shared::cta")
	d, a := c.dstPred(args[0]), c.src64(args[1])
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			in, addr := split(w.d[a][lane])
			rank := int(addr>>rankShift) - 1
			if in == spaceParam && s == spaceGlobal {
				in = s // an H200 has the parameters in global memory, too
			}
			if in == s && !(own && rank >= 0 && rank != w.cta.rank) {
				w.p[d] |= 1 << lane
			} else {
				w.p[d] &^= 1 << lane
			}
		}
		return nil
	}
}

// compileHint accepts instructions that change no result.
func compileHint(*compiler, *ptx.Instr) op { return nop }

// compilePolicy gives a cache policy, which nothing here looks at.
func compilePolicy(c *compiler, in *ptx.Instr) op {
	args := c.args(1, 4)
	return move64(c.dst64(args[0]), c.const64(0))
}
