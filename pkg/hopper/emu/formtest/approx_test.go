package formtest

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"gohopper/pkg/hopper/num"
)

// bound is the name of the error bound of an approximation (PTX 9.7.3, 9.7.4),
// "" for an instruction that is exact.
func bound(op string, mods []string) string {
	if slices.Contains(mods, "approx") || op == "div" && slices.Contains(mods, "full") {
		return dotted(op, mods)
	}
	return ""
}

// approximation is how far a result may be from the exact one: relative, as a
// part of it, or absolute. The emulator rounds the exact one once, so that it
// and a GPU may differ by that and one rounding.
type approximation struct{ relative, absolute float64 }

// approximationOf is the bound of a form (PTX ISA 9.0).
func approximationOf(op, typ string) approximation {
	switch op + " " + typ {
	case "div f32":
		return approximation{relative: 0x1p-22} // 2 ulp
	case "rcp f32", "sqrt f32":
		return approximation{relative: 0x1p-23}
	case "rsqrt f32":
		return approximation{relative: math.Pow(2, -22.9)}
	case "rcp f64", "rsqrt f64":
		return approximation{relative: 0x1p-19} // of the upper 20 bits; the manual has no bound
	case "sin f32", "cos f32":
		return approximation{absolute: math.Pow(2, -20.5)}
	case "lg2 f32":
		return approximation{relative: 0x1p-22, absolute: 0x1p-22}
	case "ex2 f32":
		return approximation{relative: math.Pow(2, -22)}
	case "tanh f32":
		return approximation{relative: 0x1p-11}
	case "ex2 f16":
		return approximation{relative: math.Pow(2, -9.9)}
	case "tanh f16":
		return approximation{absolute: math.Pow(2, -10.987)}
	case "ex2 bf16":
		return approximation{relative: 0x1p-7}
	case "tanh bf16":
		return approximation{absolute: 0x1p-8}
	}
	return approximation{}
}

// rounding is half a unit in the last place of a type, as a part.
var rounding = map[string]float64{"f16": 0x1p-11, "bf16": 0x1p-8, "f32": 0x1p-24, "f64": 0x1p-53}

func valueOf(typ string, b uint64) float64 {
	switch typ {
	case "f16":
		return float64(num.F16(b).Float32())
	case "bf16":
		return float64(num.BF16(b).Float32())
	case "f32":
		return float64(math.Float32frombits(uint32(b)))
	}
	return math.Float64frombits(b)
}

// approximately compares the outputs of an approximation: infinities, NaN and
// zeros exactly, all else within the bound.
func (m micro) approximately(emulated, real []byte) string {
	at, n := "", 0
	for c := range cases {
		e, r := binary.LittleEndian.Uint64(emulated[8*c:]), binary.LittleEndian.Uint64(real[8*c:])
		if e == r {
			continue
		}
		if !m.close(e, r) {
			if n++; n <= 4 {
				at += "; " + m.scalar.show(c, m.in, emulated, real)
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d cases are out of bounds%s", n, cases, at)
}

func (m micro) close(e, r uint64) bool {
	typ, parts := m.scalar.results[0], 1
	if len(typ) > 2 && typ[len(typ)-2:] == "x2" {
		typ, parts = typ[:len(typ)-2], 2
	}
	a := approximationOf(m.op, typ)
	for i := range parts {
		x, y := e, r
		if parts == 2 {
			x, y = e>>(16*i)&0xffff, r>>(16*i)&0xffff
		} else if n := bitsOf(typ); n < 64 {
			x, y = x&(1<<n-1), y&(1<<n-1)
		}
		if x == y {
			continue
		}
		p, q := valueOf(typ, x), valueOf(typ, y)
		if !(math.Abs(p-q) <= (a.relative+rounding[typ])*math.Abs(p)+a.absolute) {
			return false
		}
	}
	return true
}
