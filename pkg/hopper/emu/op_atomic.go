package emu

import (
	"math"
	"strings"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/num"
	"gohopper/pkg/hopper/ptx"
)

// atomicForms are atom and red (PTX 9.7.13.6 and .7).
var atomicForms = map[string][]form{
	"atom": append(atomicForm("?relaxed|acquire|release|acq_rel"), []form{
		{"?relaxed|acquire|release|acq_rel " + atomicPlaces + " exch ?L2::cache_hint b32|b64", compileAtomic},
		{"?relaxed|acquire|release|acq_rel " + atomicPlaces + " cas ?L2::cache_hint b16|b32|b64", compileAtomic},
	}...),
	"red": append(atomicForm("?relaxed|release"), []form{
		{redAsync + "inc|dec u32", compileReduceAsync},
		{redAsync + "min|max u32|s32", compileReduceAsync},
		{redAsync + "add u32|s32|u64|s64", compileReduceAsync},
		{redAsync + "and|or|xor b32", compileReduceAsync},
	}...),
}

const (
	atomicPlaces = "?cta|cluster|gpu|sys ?global|shared|shared::cta|shared::cluster"
	redAsync     = "async relaxed cluster ?shared::cluster mbarrier::complete_tx::bytes "
)

// atomicForm is what atom and red both have, with their orderings.
func atomicForm(order string) []form {
	vector := order + " ?cta|cluster|gpu|sys ?global "
	order += " " + atomicPlaces + " "
	return []form{
		{order + "and|or|xor ?L2::cache_hint b32|b64", compileAtomic},
		{order + "inc|dec ?L2::cache_hint u32", compileAtomic},
		{order + "add ?L2::cache_hint u32|s32|u64|f32|f64", compileAtomic},
		{order + "min|max ?L2::cache_hint u32|s32|u64|s64", compileAtomic},
		{order + "add noftz ?L2::cache_hint f16|bf16|f16x2|bf16x2", compileAtomic},
		{vector + "add ?L2::cache_hint v2|v4 f32", compileAtomic},
		{vector + "add|min|max noftz ?L2::cache_hint v2|v4|v8 f16|bf16", compileAtomic},
		{vector + "add|min|max noftz ?L2::cache_hint v2|v4 f16x2|bf16x2", compileAtomic},
	}
}

// combine is what an atomic operation stores: a function of the old value and
// the operands, all as bits of the operation's type.
type combine func(old, b, c uint64) uint64

// compileAtomic compiles "atom d, [a], b{, c}" and "red [a], b", with vectors
// of which each element is atomic by itself.
func compileAtomic(c *compiler, in *ptx.Instr) op {
	args := c.args(2, 5)
	var d ptx.Operand = ptx.Sink{}
	if in.Op == "atom" {
		d, args = args[0], args[1:]
	}
	name, typ := c.atomicName()
	f := combination(name, typ)
	if f == nil || len(args) < 2 {
		return c.unsupported()
	}
	a := &atomicOp{space: c.space(), addr: c.address(args[0]), elem: typeBits(typ) / 8, combine: f, global: f}
	if name == "add" && (typ == "f32" || typ == "f64") {
		a.global = globalSum[typ]
	}
	for _, o := range c.elements(args[1]) {
		a.b = append(a.b, c.data(o, min(a.elem, 8)))
	}
	if name == "cas" {
		if len(args) < 3 {
			return c.failf("%s needs a value to compare and one to store", in.Name())
		}
		for _, o := range c.elements(args[2]) {
			a.c = append(a.c, c.data(o, min(a.elem, 8)))
		}
	}
	for _, o := range c.elements(d) {
		if _, sink := o.(ptx.Sink); sink {
			a.d = append(a.d, register{kind: kindPred})
			continue
		}
		a.d = append(a.d, c.data(o, a.elem))
	}
	for len(a.d) < len(a.b) {
		a.d = append(a.d, register{kind: kindPred})
	}
	if a.elem == 16 {
		return c.unsupported()
	}
	return a.run
}

// atomicName finds the operation and the type in the opcode.
func (c *compiler) atomicName() (name string, typ ptx.Type) {
	for _, m := range c.in.Mods {
		switch m {
		case "and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max":
			name = m
		case "relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys", "global",
			"shared", "shared::cta", "shared::cluster", "noftz", "v2", "v4", "v8", "L2::cache_hint",
			"async", "mbarrier::complete_tx::bytes":
		default:
			if typeBits(ptx.Type(m)) == 0 {
				c.unsupported()
			}
			typ = ptx.Type(m)
		}
	}
	return name, typ
}

// combination is the function of an operation on a type; nil if there is none.
func combination(name string, t ptx.Type) combine {
	switch name {
	case "and":
		return func(old, b, _ uint64) uint64 { return old & b }
	case "or":
		return func(old, b, _ uint64) uint64 { return old | b }
	case "xor":
		return func(old, b, _ uint64) uint64 { return old ^ b }
	case "exch":
		return func(_, b, _ uint64) uint64 { return b }
	case "cas":
		return func(old, b, c uint64) uint64 {
			if old == b {
				return c
			}
			return old
		}
	case "inc":
		return func(old, b, _ uint64) uint64 {
			if old >= b {
				return 0
			}
			return old + 1
		}
	case "dec":
		return func(old, b, _ uint64) uint64 {
			if old == 0 || old > b {
				return b
			}
			return old - 1
		}
	}
	switch t {
	case "f32", "f64", "f16", "bf16":
		return floatCombination(name, t)
	case "f16x2", "bf16x2":
		half := floatCombination(name, t[:len(t)-2])
		if half == nil {
			return nil
		}
		return func(old, b, _ uint64) uint64 {
			return half(old&0xffff, b&0xffff, 0) | half(old>>16, b>>16, 0)<<16
		}
	}
	return integerCombination(name, t)
}

// integerCombination is add, min or max of integers.
func integerCombination(name string, t ptx.Type) combine {
	shift := 64 - typeBits(t)
	signed := strings.HasPrefix(string(t), "s")
	less := func(x, y uint64) bool {
		if signed {
			return int64(x<<shift) < int64(y<<shift)
		}
		return x < y
	}
	switch name {
	case "add":
		return func(old, b, _ uint64) uint64 { return old + b }
	case "min":
		return func(old, b, _ uint64) uint64 {
			if less(b, old) {
				return b
			}
			return old
		}
	case "max":
		return func(old, b, _ uint64) uint64 {
			if less(old, b) {
				return b
			}
			return old
		}
	}
	return nil
}

// floatCombination is add, min or max of one floating-point number; the sum is
// rounded to nearest.
func floatCombination(name string, t ptx.Type) combine {
	decode, encode := floatCodec(t)
	var f func(x, y float64) float64
	switch name {
	case "add":
		switch t {
		case "f32": // a float64 sum of two float32 would be rounded twice, harmlessly; this is direct
			return func(old, b, _ uint64) uint64 {
				return uint64(canonical(math.Float32frombits(uint32(old)) + math.Float32frombits(uint32(b))))
			}
		case "f64":
			return func(old, b, _ uint64) uint64 { return bits64(double(old)+double(b), old, b) }
		}
		f = func(x, y float64) float64 { return x + y }
	case "min":
		f = func(x, y float64) float64 { return pick(x, y, math.Min) }
	case "max":
		f = func(x, y float64) float64 { return pick(x, y, math.Max) }
	default:
		return nil
	}
	return func(old, b, _ uint64) uint64 { return encode(f(decode(old), decode(b))) }
}

// pick is min or max where a NaN loses to a number (PTX 9.7.3.11).
func pick(x, y float64, f func(x, y float64) float64) float64 {
	switch {
	case math.IsNaN(x):
		return y
	case math.IsNaN(y):
		return x
	}
	return f(x, y)
}

// floatCodec converts between a type's bits and float64.
func floatCodec(t ptx.Type) (decode func(uint64) float64, encode func(float64) uint64) {
	switch t {
	case "f16":
		return func(b uint64) float64 { return float64(num.F16(b).Float32()) },
			func(f float64) uint64 { return uint64(num.F16FromFloat64(f)) }
	case "bf16":
		return func(b uint64) float64 { return float64(num.BF16(b).Float32()) },
			func(f float64) uint64 { return uint64(num.BF16FromFloat64(f)) }
	case "f32":
		return func(b uint64) float64 { return float64(math.Float32frombits(uint32(b))) },
			func(f float64) uint64 { return uint64(math.Float32bits(float32(f))) }
	}
	return math.Float64frombits, math.Float64bits
}

// atomicOp is a compiled atom or red.
type atomicOp struct {
	space   space
	addr    address
	elem    int
	b, c, d []register // d of kindPred: the result is not wanted
	combine combine
	global  combine // the same in global memory
}

// globalSum is addition as the units at the L2 do it, which an H200 shows to
// differ from the arithmetic that shared memory's is made of: f32 flushes
// subnormals, and f64 leaves a NaN as it is, the operand's first.
var globalSum = map[ptx.Type]combine{
	"f32": func(old, b, _ uint64) uint64 {
		k := floatMode{ftz: true}
		return uint64(k.out(k.in(uint32(old)) + k.in(uint32(b))))
	},
	"f64": func(old, b, _ uint64) uint64 {
		for _, v := range []uint64{b, old} {
			if f := double(v); f != f {
				return v
			}
		}
		return bits64(double(old) + double(b))
	},
}

// combineAt is the function for an address.
func (a *atomicOp) combineAt(addr uint64) combine {
	s := a.space
	if s == spaceGeneric {
		s, _ = split(addr)
	}
	if s == spaceGlobal {
		return a.global
	}
	return a.combine
}

func (a *atomicOp) run(w *warp, m mask) *wait {
	c := w.cta.cluster
	c.reads++
	n := a.elem * len(a.b)
	w.tellAccess(m, a.space, a.addr, n, event.Update, true)
	field := uint64(1)<<(8*a.elem) - 1
	for lane := range lanes {
		if m>>lane&1 == 0 {
			continue
		}
		addr := a.addr.at(w, lane)
		mem, f := c.bytes(w.agent(1<<lane), a.space, addr, n, n, readWrite), a.combineAt(addr)
		for i := range a.b {
			old := uint64(poison64)
			if mem != nil {
				b, third := w.get(a.b[i], lane)&field, uint64(0)
				if a.c != nil {
					third = w.get(a.c[i], lane)
				}
				var now uint64
				old = updateStrong(mem[i*a.elem:], a.elem, func(old uint64) uint64 {
					now = f(old, b, third) & field
					return now
				})
				if now != old {
					c.changed()
				}
			}
			w.put(a.d[i], lane, old&field)
		}
	}
	return nil
}

// get is a register of up to 64 bits in a lane.
func (w *warp) get(r register, lane int) uint64 {
	if r.kind == kind32 {
		return uint64(w.r[r.row][lane])
	}
	return w.d[r.row][lane]
}

// put sets a register of up to 64 bits in a lane; a result that is not wanted
// has kindPred.
func (w *warp) put(r register, lane int, v uint64) {
	switch r.kind {
	case kind32:
		w.r[r.row][lane] = uint32(v)
	case kind64:
		w.d[r.row][lane] = v
	}
}
