package emu

import (
	"math"

	"gohopper/pkg/hopper/ptx"
)

// approxForms are the fast approximations (PTX 9.7.3). The hardware's tables
// are not public: these results are inside the bounds that the manual gives,
// and mostly more exact, but their last bits are not the hardware's.
var approxForms = map[string][]form{
	"div":   {{"approx ?ftz f32", float2(approxQuotients, nil)}, {"full ?ftz f32", float2(divFloats, nil)}},
	"rcp":   {{"approx ?ftz f32", float1(inverseFloat, nil)}, {"approx ftz f64", approx64(func(a float64) float64 { return 1 / a })}},
	"sqrt":  {{"approx ?ftz f32", float1(sqrtFloat, nil)}},
	"rsqrt": {{"approx ?ftz f32", approx32(inverseRoot)}, {"approx f64", double1(func(_ rounding, a float64) float64 { return inverseRoot(a) })}, {"approx ftz f64", approx64(inverseRoot)}},
	"sin":   {{"approx ?ftz f32", approx32(func(a float64) float64 { return math.Sin(2 * math.Pi * turns(a)) })}},
	"cos":   {{"approx ?ftz f32", approx32(func(a float64) float64 { return math.Cos(2 * math.Pi * turns(a)) })}},
	"lg2":   {{"approx ?ftz f32", approx32(math.Log2)}},
	"ex2":   {{"approx ?ftz f32", approx32(exp2)}},
	"tanh":  {{"approx f32", approx32(math.Tanh)}},
}

// approx32 compiles d = f(a).
func approx32(f func(a float64) float64) family {
	return float1(func(a float32) float32 { return float32(f(float64(a))) }, nil)
}

// approx64 compiles the double-precision forms. An H200 looks at the upper half
// of the operand only, so that a NaN whose payload is in the lower is an
// infinity, and the result's lower half is zero.
func approx64(f func(a float64) float64) family {
	return func(c *compiler, in *ptx.Instr) op {
		const low = 0xffffffff
		ftz := in.Has("ftz")
		return rows1(func(d, a *row[uint64]) {
			for i := range d {
				r := f(double(flush64(a[i]&^low, ftz)))
				if r != r {
					d[i] = nan32 << 32
					continue
				}
				d[i] = flush64(math.Float64bits(r), ftz) &^ low
			}
		})(c, in)
	}
}

func flush64(a uint64, ftz bool) uint64 {
	if ftz && a&0x7ff0000000000000 == 0 {
		return a & signBit64
	}
	return a
}

// approxQuotients multiplies by the inverse, which is 0 for a divisor beyond
// 2^126.
func approxQuotients(k floatMode, d, a, b *row[uint32]) {
	for i := range d {
		x, y := k.in(a[i]), k.in(b[i])
		r := x / y
		if y > 0x1p126 || y < -0x1p126 {
			r = x * float32(math.Copysign(0, float64(y)))
		}
		d[i] = k.out(r)
	}
}

// turns is an angle in turns, from -1/2 to 1/2. As on an H200 the product with
// 1/(2 pi) is a float32 that is rounded towards zero, so that the result is good
// for small angles and means nothing for large ones.
func turns(a float64) float64 {
	const inverse = float64(float32(0.15915494))
	p := a * inverse
	y := float64(math.Float32frombits(floatMode{round: toZero}.rounded(p)))
	if turn := y - math.RoundToEven(y); turn != 0 {
		return turn
	}
	return math.Copysign(0, a)
}

func inverseRoot(a float64) float64 { return 1 / math.Sqrt(a) }

// exp2 is 2 to the power a, good to 2^-31 and the same on every machine: each
// product is rounded, so that none is fused with a sum.
func exp2(a float64) float64 {
	switch {
	case a != a:
		return a
	case a > 1023:
		return math.Inf(1)
	case a < -1022:
		return 0
	}
	n := math.RoundToEven(a)
	x := (a - n) * math.Ln2 // e to the x, by its series
	s := 1 + float64(x*(1.0/8))
	s = 1 + float64(float64(s*x)*(1.0/7))
	s = 1 + float64(float64(s*x)*(1.0/6))
	s = 1 + float64(float64(s*x)*(1.0/5))
	s = 1 + float64(float64(s*x)*(1.0/4))
	s = 1 + float64(float64(s*x)*(1.0/3))
	s = 1 + float64(float64(s*x)*(1.0/2))
	s = 1 + float64(s*x)
	return s * math.Float64frombits(uint64(int(n)+1023)<<52)
}
