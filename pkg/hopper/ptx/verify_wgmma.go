package ptx

import (
	"fmt"
	"slices"
	"strings"
)

// wgmmaK is the K extent of a dense wgmma by the type of its A matrix
// (PTX 9.7.15.5).
var wgmmaK = map[string]int{
	"f16": 16, "bf16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32, "b1": 256,
}

// wgmmaD lists the accumulator types by the type of the A matrix.
var wgmmaD = map[string][]string{
	"f16": {"f16", "f32"}, "bf16": {"f32"}, "tf32": {"f32"},
	"e4m3": {"f16", "f32"}, "e5m2": {"f16", "f32"}, "s8": {"s32"}, "u8": {"s32"}, "b1": {"s32"},
}

// wgmmaB names the type that a B matrix may have beside that of A.
var wgmmaB = map[string]string{"e4m3": "e5m2", "e5m2": "e4m3", "s8": "u8", "u8": "s8"}

// wgmma checks wgmma.mma_async: shape, types, the number of registers and the
// immediates behind the descriptors (PTX 9.7.15.5.2).
func (v *verifier) wgmma(in *Instr) {
	if !in.Has("mma_async") {
		return
	}
	shape, types := -1, []string(nil)
	for i, m := range in.Mods {
		if len(m) > 2 && m[0] == 'm' && isDigit(m[1]) {
			shape, types = i, in.Mods[i+1:]
			break
		}
	}
	if shape < 0 || len(types) < 3 {
		v.on(in, RuleWgmma, "the opcode names no shape and types; write wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16")
		return
	}
	d, a, b := types[0], types[1], types[2]
	n, ok := v.wgmmaShape(in, in.Mods[shape], d, a, b)
	if ok {
		v.wgmmaOperands(in, n, d, a)
	}
}

// wgmmaShape checks shape and types and returns N.
func (v *verifier) wgmmaShape(in *Instr, shape, d, a, b string) (n int, ok bool) {
	k, known := wgmmaK[a]
	if in.Has("sp") {
		k *= 2 // half of A's elements are zero and not stored
	}
	var m, gotK int
	if _, err := fmt.Sscanf(shape, "m%dn%dk%d", &m, &n, &gotK); err != nil {
		v.on(in, RuleWgmma, "the shape .%s is not of the form .m64n128k16", shape)
		return 0, false
	}
	switch {
	case !known:
		v.on(in, RuleWgmma, "A cannot be .%s; wgmma takes f16, bf16, tf32, e4m3, e5m2, s8, u8 and b1", a)
	case b != a && b != wgmmaB[a]:
		v.on(in, RuleWgmma, "A is .%s and B is .%s; the types of A and B agree, but for e4m3 with e5m2 and s8 with u8", a, b)
	case !slices.Contains(wgmmaD[a], d):
		v.on(in, RuleWgmma, "the accumulator is .%s; for .%s it is .%s", d, a, strings.Join(wgmmaD[a], " or ."))
	case m != 64:
		v.on(in, RuleWgmma, "M is %d; a warpgroup computes 64 rows", m)
	case n < 8 || n > 256 || n%8 != 0:
		v.on(in, RuleWgmma, "N is %d; it is a multiple of 8 from 8 to 256", n)
	case d == "s32" && n > 32 && n%16 != 0:
		v.on(in, RuleWgmma, "N is %d; for integers it is 8, 16, 24, 32 or a multiple of 16 up to 256", n)
	case gotK != k:
		v.on(in, RuleWgmma, "K is %d; for .%s it is %d", gotK, a, k)
	default:
		return n, true
	}
	return 0, false
}

// wgmmaOperands checks the operands: {D}, A, B, scale-d, and for floating
// point the immediates scale-a, scale-b and, for 16-bit types, the transposes.
func (v *verifier) wgmmaOperands(in *Instr, n int, d, a string) {
	args := in.Args
	if in.Has("sp") && len(args) > 5 { // metadata and selector stand behind B
		args = append(append([]Operand(nil), args[:3]...), args[5:]...)
	}
	_, aInRegisters := arg(args, 1).(Vec)
	transposes := 0
	if a == "f16" || a == "bf16" {
		transposes = 2
		if aInRegisters {
			transposes = 1
		}
	}
	want, scales := 4, 0
	if d != "s32" {
		scales = 2
		want += scales + transposes
	}
	if len(args) != want {
		advice := ""
		switch {
		case transposes == 0 && scales > 0 && len(args) > want:
			advice = "; ." + a + " is K-major only and has no transpose immediates"
		case aInRegisters && len(args) == want+1:
			advice = "; with A in registers there is no transpose immediate for A"
		}
		v.on(in, RuleWgmma, "found %d operands, expected %d: %s%s", len(args), want, wgmmaForm(scales, transposes), advice)
		return
	}
	v.wgmmaList(in, 0, args[0], accumulators(n, d), "the accumulator", accumulatorType(d))
	if aInRegisters {
		v.wgmmaList(in, 1, args[1], 4, "A", "b32")
	} else {
		v.scalar(in, 1, args[1], param{letter: 's'}, "u64")
	}
	if _, ok := args[2].(Vec); ok {
		v.on(in, RuleWgmma, "B is a list of registers; wgmma takes B from shared memory only, through a descriptor")
	} else {
		v.scalar(in, 2, args[2], param{letter: 's'}, "u64")
	}
	v.predicate(in, 3, args[3], 'q')
	for i := 4; i < 4+scales; i++ {
		v.immediate(in, i, args[i], "a scale", 1, -1)
	}
	for i := 4 + scales; i < len(args); i++ {
		v.immediate(in, i, args[i], "a transpose", 0, 1)
	}
}

// accumulators is the number of 32-bit registers per thread that hold a
// 64 x n accumulator.
func accumulators(n int, d string) int {
	if d == "f16" {
		return n / 4 // two columns in a register
	}
	return n / 2
}

func accumulatorType(d string) Type {
	if d == "f16" {
		return "f16x2"
	}
	return Type(d)
}

func wgmmaForm(scales, transposes int) string {
	form := "{D}, A, B, scale-d"
	if scales > 0 {
		form += ", scale-a, scale-b"
	}
	switch transposes {
	case 1:
		form += ", trans-b"
	case 2:
		form += ", trans-a, trans-b"
	}
	return form
}

func (v *verifier) wgmmaList(in *Instr, i int, o Operand, n int, what string, want Type) {
	l, ok := o.(Vec)
	if !ok {
		v.wrong(in, i, o, fmt.Sprintf("a list of %d registers", n))
		return
	}
	if len(l.Elems) != n {
		v.on(in, RuleWgmma, "%s has %d registers, expected %d", what, len(l.Elems), n)
		return
	}
	for _, e := range l.Elems {
		v.scalar(in, i, e, param{letter: 'd'}, want)
	}
}

// immediate checks a constant that may have two values.
func (v *verifier) immediate(in *Instr, i int, o Operand, what string, a, b int64) {
	c, ok := o.(Int)
	if !ok || c.Value != a && c.Value != b {
		v.on(in, RuleWgmma, "operand %d is %s; %s is the constant %d or %d", i+1, operandText(o), what, a, b)
	}
}
