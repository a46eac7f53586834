package ptx

import "fmt"

// fragment checks a list of 32-bit registers, of any type.
func (v *verifier) fragment(in *Instr, i int, o Operand) {
	l, ok := o.(Vec)
	if !ok {
		v.wrong(in, i, o, "a list of registers in braces")
		return
	}
	for _, e := range l.Elems {
		if _, sink := e.(Sink); sink && in.Op == "ldmatrix" {
			continue
		}
		want := Type("b32")
		if in.Op == "cp" {
			want = "b16" // im2col offsets
		}
		v.scalar(in, i, e, param{letter: 's'}, want)
	}
}

// matrixCopy checks ldmatrix and stmatrix: a register for every 8 x 8 matrix
// of 16-bit elements (PTX 9.7.14), twice that for .m16n16.
func (v *verifier) matrixCopy(in *Instr) {
	want := 0
	for _, m := range in.Mods {
		switch m {
		case "x1":
			want = 1
		case "x2":
			want = 2
		case "x4":
			want = 4
		}
	}
	if in.Has("m16n16") {
		want *= 2
	}
	for _, a := range in.Args {
		if l, ok := a.(Vec); ok && len(l.Elems) != want && want > 0 {
			v.on(in, RuleMatrix, "the list has %d registers, expected %d", len(l.Elems), want)
		}
	}
}

// elementBits is the size of the elements of mma operands.
var elementBits = map[string]int{
	"f64": 64, "tf32": 32, "f32": 32, "s32": 32, "f16": 16, "bf16": 16,
	"s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "e3m2": 8, "e2m3": 8, "e2m1": 8, "s4": 4, "u4": 4, "b1": 1,
}

// mma checks mma.sync: every operand is spread evenly over the 32 threads
// (PTX 9.7.14).
func (v *verifier) mma(in *Instr) {
	var m, n, k int
	var types []string
	for i, mod := range in.Mods {
		if _, err := fmt.Sscanf(mod, "m%dn%dk%d", &m, &n, &k); err == nil {
			for _, t := range in.Mods[i+1:] {
				if elementBits[t] > 0 {
					types = append(types, t)
				}
			}
			break
		}
	}
	if len(types) != 4 || len(in.Args) != 4 || in.Has("block_scale") || in.Has("sp") || in.Has("sp::ordered_metadata") {
		return
	}
	sizes := [4]int{m * n, m * k, k * n, m * n}
	if m == 8 && types[1] == "f16" { // four quarters of the warp compute one matrix each
		sizes = [4]int{4 * m * n, 4 * m * k, 4 * k * n, 4 * m * n}
	}
	for i, a := range in.Args {
		t := types[i]
		bits := elementBits[t]
		l, ok := a.(Vec)
		if !ok {
			v.wrong(in, i, a, "a list of registers in braces")
			continue
		}
		want := sizes[i] * bits / 32 / max(bits, 32)
		if len(l.Elems) != want {
			v.on(in, RuleMatrix, "%s has %d registers, expected %d for .%s", [4]string{"D", "A", "B", "C"}[i], len(l.Elems), want, t)
			continue
		}
		register := Type("b32")
		if t == "f64" || t == "f32" || t == "s32" {
			register = Type(t)
		}
		for _, e := range l.Elems {
			v.scalar(in, i, e, param{letter: 'd'}, register)
		}
	}
}
