package nvcctest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
)

func TestFormats(t *testing.T) {
	every(t, "numeric", func(r rig) {
		in := []float32{
			0, 1, -1, 0.1, -0.3, 1.0625, 1.09375, 3.14159, 448, 463, 465, -480, 57344, 61000, 65504, 65519, 65520, 1e6, -3e38,
			0x1p-9, 0x1p-10, 0x1.8p-10, 0x1p-16, 0x1p-24, 0x1p-25, 0x1.002p-14, 1 + 0x1p-9, 1 + 0x1p-8, 1 + 0x3p-8, -0x1p-130,
			float32(math.Inf(1)), float32(math.Inf(-1)),
		}
		n := len(in)
		half, bfloat := r.blank(2*n), r.blank(2*n)
		e4m3, e5m2, back := r.blank(n), r.blank(n), r.blank(16*n)
		r.run("formats", grid(1, 1, n), device.Pointer(r.put(in)), device.Pointer(half), device.Pointer(bfloat),
			device.Pointer(e4m3), device.Pointer(e5m2), device.Pointer(back))
		gotHalf, gotBfloat := get[num.F16](r, half, n), get[num.BF16](r, bfloat, n)
		gotE4M3, gotE5M2, gotBack := get[num.E4M3](r, e4m3, n), get[num.E5M2](r, e5m2, n), get[float32](r, back, 4*n)
		for i, x := range in {
			h, b, e, f := num.F16FromFloat32(x), num.BF16FromFloat32(x), num.E4M3FromFloat32(x), num.E5M2FromFloat32(x)
			assert.Equal(r, h, gotHalf[i], "f16 of %g", x)
			assert.Equal(r, b, gotBfloat[i], "bf16 of %g", x)
			assert.Equal(r, e, gotE4M3[i], "e4m3 of %g", x)
			assert.Equal(r, f, gotE5M2[i], "e5m2 of %g", x)
			assert.Equal(r, []float32{h.Float32(), b.Float32(), e.Float32(), f.Float32()}, gotBack[4*i:4*i+4], "back from %g", x)
		}
	})
}

func TestPacked(t *testing.T) {
	every(t, "numeric", func(r rig) {
		const threads = 32
		rng := rand.New(rand.NewPCG(11, 12))
		x, y := make([]num.F16, 2*threads), make([]num.F16, 2*threads)
		u, v := make([]num.BF16, 2*threads), make([]num.BF16, 2*threads)
		for i := range x {
			x[i], y[i] = num.F16FromFloat32(8*rng.Float32()-4), num.F16FromFloat32(8*rng.Float32()-4)
			u[i], v[i] = num.BF16FromFloat32(8*rng.Float32()-4), num.BF16FromFloat32(8*rng.Float32()-4)
		}
		out, bout := r.blank(6*4*threads), r.blank(4*4*threads)
		r.run("packed", grid(1, 1, threads), device.Pointer(r.put(x)), device.Pointer(r.put(y)), device.Pointer(out),
			device.Pointer(r.put(u)), device.Pointer(r.put(v)), device.Pointer(bout))
		half, bfloat := get[num.F16](r, out, 6*2*threads), get[num.BF16](r, bout, 4*2*threads)
		for i := range x {
			// In float64 the results are exact, so they are rounded once.
			a, b := float64(x[i].Float32()), float64(y[i].Float32())
			last := -a
			if i%2 == 1 {
				last = math.Abs(a)
			}
			for k, want := range []float64{a + b, a * b, a*b + a, max(a, b), a - b, last} {
				require.Equal(r, num.F16FromFloat64(want), half[2*threads*k+i], "f16, result %d of %g and %g", k, a, b)
			}
			a, b = float64(u[i].Float32()), float64(v[i].Float32())
			for k, want := range []float64{a + b, a * b, a*b + a, min(a, b)} {
				require.Equal(r, num.BF16FromFloat64(want), bfloat[2*threads*k+i], "bf16, result %d of %g and %g", k, a, b)
			}
		}
	})
}

// ulp32 is the spacing of float32 numbers just above 1.
const ulp32 = 0x1p-23

// float32Functions are the functions of the kernel "functions", with the error
// that the CUDA C++ Programming Guide (mathematical functions) allows each, in
// ulps of the result and absolute.
var float32Functions = []struct {
	name     string
	want     func(x float64) float64
	ulps     float64
	absolute float64
}{
	{"expf", math.Exp, 2, 0},
	{"__expf", math.Exp, 6, 0},
	{"logf", func(x float64) float64 { return math.Log(math.Abs(x) + 0.5) }, 1, ulp32},
	{"__logf", func(x float64) float64 { return math.Log(math.Abs(x) + 0.5) }, 3, 0x1p-21},
	{"sinf", math.Sin, 2, 0},
	{"__sinf", math.Sin, 0, 0x1p-21},
	{"cosf", math.Cos, 2, 0},
	{"tanhf", math.Tanh, 2, 0},
	{"sqrtf", func(x float64) float64 { return math.Sqrt(math.Abs(x)) }, 0.5, 0},
	{"rsqrtf", func(x float64) float64 { return 1 / math.Sqrt(math.Abs(x)+0.5) }, 3, 0},
	{"division", func(x float64) float64 { return 1 / float64(float32(x)+100) }, 0.5, 0},
	{"__fdividef", func(x float64) float64 { return x / 3 }, 2, 0},
	{"powf", func(x float64) float64 { return math.Pow(math.Abs(x)+0.5, 1.5) }, 6, 0},
	{"fmodf", func(x float64) float64 { return math.Mod(x, 0.75) }, 0, 0},
	{"roundings", func(x float64) float64 {
		return math.RoundToEven(x) + math.Floor(x)*100 + math.Ceil(x)*10000 + math.Trunc(x)*1000000
	}, 0, 0},
	{"erff", math.Erf, 2, 0},
	{"exponentials and logarithms", func(x float64) float64 {
		return math.Exp2(x) + math.Log2(math.Abs(x)+1) + math.Log1p(math.Abs(x)) + math.Expm1(x)
	}, 6, 4 * ulp32},
	{"bounds", func(x float64) float64 {
		return min(x, float64(float32(0.3))) + max(x, float64(float32(-0.2))) + math.Copysign(1, x) + min(max(x, 0), 1)
	}, 2, ulp32},
	{"directed roundings", func(x float64) float64 {
		return x*float64(float32(1.7)) + float64(float32(0.1)) - x*float64(float32(1.7)) + x + float64(float32(0.1))
	}, 2, 8 * ulp32},
}

func TestFloatFunctions(t *testing.T) {
	every(t, "numeric", func(r rig) {
		const threads = 64
		in := make([]float32, threads)
		for i := range in {
			in[i] = float32(i-30)*0.097 - 0.01
		}
		n := len(float32Functions)
		out := r.blank(4 * n * threads)
		r.run("functions", grid(1, 1, threads), device.Pointer(r.put(in)), device.Pointer(out))
		got := get[float32](r, out, n*threads)
		for k, f := range float32Functions {
			for i, x := range in {
				want := f.want(float64(x))
				assert.True(r, within(float64(got[k*threads+i]), want, f.ulps*ulp32, f.absolute),
					"%s of %g: got %g, want %g", f.name, x, got[k*threads+i], want)
			}
		}
	})
}

func TestDoubles(t *testing.T) {
	every(t, "numeric", func(r rig) {
		const threads = 40
		functions := []func(x float64) float64{
			func(x float64) float64 { return x*x + 1/(x+200) },
			func(x float64) float64 { return math.Sqrt(math.Abs(x)) },
			math.Exp,
			math.Sin,
			func(x float64) float64 { return math.Log(math.Abs(x) + 0.5) },
			func(x float64) float64 { return math.FMA(x, x, -x) },
			func(x float64) float64 { return math.Floor(x) + float64(1000*int64(x)) + float64(float32(x)) },
		}
		in := make([]float64, threads)
		for i := range in {
			in[i] = float64(i-17)*0.7351 + 0.01
		}
		out := r.blank(8 * len(functions) * threads)
		r.run("doubles", grid(1, 1, threads), device.Pointer(r.put(in)), device.Pointer(out))
		got := get[float64](r, out, len(functions)*threads)
		for k, f := range functions {
			for i, x := range in {
				assert.True(r, within(got[k*threads+i], f(x), 0x1p-51, 0x1p-52), "function %d of %g: got %g, want %g", k, x, got[k*threads+i], f(x))
			}
		}
	})
}

func TestSoftmax(t *testing.T) {
	every(t, "numeric", func(r rig) {
		const rows, width = 3, 150
		in := make([]float32, rows*width)
		for i := range in {
			in[i] = float32(i*i%97)/8 - 6
		}
		in[width+7] = 300 // the other exponentials of this row vanish
		out := r.blank(4 * len(in))
		r.run("softmax", grid(rows, 1, 64), device.Pointer(r.put(in)), device.Pointer(out), device.Int32(width))
		got := get[float32](r, out, len(in))
		for row := range rows {
			var sum float64
			for _, x := range in[row*width:][:width] {
				sum += math.Exp(float64(x))
			}
			for i, x := range in[row*width:][:width] {
				want := math.Exp(float64(x)) / sum
				require.True(r, within(float64(got[row*width+i]), want, 1e-5, 1e-37), "row %d, column %d: got %g, want %g", row, i, got[row*width+i], want)
			}
		}
	})
}
