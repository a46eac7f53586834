package num

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	negativeNaN := math.Float64frombits(0xFFF8_0000_0000_0001)
	for _, c := range []struct {
		why                                string
		v                                  float64
		f16, bf16, e4m3, e4m3ns, e5m2, ens uint32
	}{
		{"zero", 0, 0, 0, 0, 0, 0, 0},
		{"the sign of zero is kept", math.Copysign(0, -1), 0x8000, 0x8000, 0x80, 0x80, 0x80, 0x80},
		{"infinity: FP8 saturates or overflows", inf, 0x7C00, 0x7F80, 0x7E, 0x7F, 0x7B, 0x7C},
		{"negative infinity", -inf, 0xFC00, 0xFF80, 0xFE, 0x7F, 0xFB, 0xFC},
		{"NaN is canonical", nan, 0x7FFF, 0x7FFF, 0x7F, 0x7F, 0x7F, 0x7F},
		{"the sign of a NaN is lost", negativeNaN, 0x7FFF, 0x7FFF, 0x7F, 0x7F, 0x7F, 0x7F},
		{"largest float64", math.MaxFloat64, 0x7C00, 0x7F80, 0x7E, 0x7F, 0x7B, 0x7C},
		{"least float64", math.SmallestNonzeroFloat64, 0, 0, 0, 0, 0, 0},
		{"e4m3's last tie goes to 448, whose code is even", 464, 0x5F40, 0x43E8, 0x7E, 0x7E, 0x5F, 0x5F},
		{"above it e4m3 overflows", 464.0001, 0x5F40, 0x43E8, 0x7E, 0x7F, 0x5F, 0x5F},
		{"e5m2's last tie overflows: its lower code is odd", 61440, 0x7B80, 0x4770, 0x7E, 0x7F, 0x7B, 0x7C},
		{"f16's last tie overflows", 65520, 0x7C00, 0x4780, 0x7E, 0x7F, 0x7B, 0x7C},
		{"below it f16 stays finite", 65519.99, 0x7BFF, 0x4780, 0x7E, 0x7F, 0x7B, 0x7C},
	} {
		t.Run(c.why, func(t *testing.T) {
			assert.Equal(t, c.f16, uint32(F16FromFloat64(c.v)), "f16")
			assert.Equal(t, c.bf16, uint32(BF16FromFloat64(c.v)), "bf16")
			assert.Equal(t, c.e4m3, uint32(E4M3FromFloat64(c.v)), "e4m3")
			assert.Equal(t, c.e4m3ns, uint32(E4M3NonSaturating(c.v)), "e4m3 non-saturating")
			assert.Equal(t, c.e5m2, uint32(E5M2FromFloat64(c.v)), "e5m2")
			assert.Equal(t, c.ens, uint32(E5M2NonSaturating(c.v)), "e5m2 non-saturating")
		})
	}
}

func TestTruncateSpecialValues(t *testing.T) {
	inf := float32(math.Inf(1))
	assert.Equal(t, F16(0x7C00), F16Truncate(inf), "an infinity stays one")
	assert.Equal(t, F16(0x7BFF), F16Truncate(math.MaxFloat32), "a finite value never becomes one")
	assert.Equal(t, F16(0xFBFF), F16Truncate(-65536))
	assert.Equal(t, F16(0x7FFF), F16Truncate(float32(math.NaN())))
	assert.Equal(t, F16(0x8000), F16Truncate(-0x1.FFp-25), "towards a zero with the sign")
	assert.Equal(t, BF16(0xFF80), BF16Truncate(-inf))
	assert.Equal(t, BF16(0x7F7F), BF16Truncate(math.MaxFloat32))
	assert.Equal(t, BF16(0x7FFF), BF16Truncate(float32(math.NaN())))
}

func TestConstants(t *testing.T) {
	for _, c := range []struct {
		format                                  Format
		max, minNormal, minSubnormal, epsilon   float64
		maxCode, minNormalCode, oneAfterOneCode uint32
	}{
		{FormatF16, MaxF16, MinNormalF16, MinSubnormalF16, EpsilonF16, 0x7BFF, 0x0400, 0x3C01},
		{FormatBF16, MaxBF16, MinNormalBF16, MinSubnormalBF16, EpsilonBF16, 0x7F7F, 0x0080, 0x3F81},
		{FormatE4M3, MaxE4M3, MinNormalE4M3, MinSubnormalE4M3, EpsilonE4M3, 0x7E, 0x08, 0x39},
		{FormatE5M2, MaxE5M2, MinNormalE5M2, MinSubnormalE5M2, EpsilonE5M2, 0x7B, 0x04, 0x3D},
		{FormatF32, math.MaxFloat32, 0x1p-126, math.SmallestNonzeroFloat32, 0x1p-23, 0x7F7FFFFF, 0x00800000, 0x3F800001},
	} {
		t.Run(c.format.String(), func(t *testing.T) {
			f := c.format
			assert.Equal(t, c.max, f.Max())
			assert.Equal(t, c.minNormal, f.MinNormal())
			assert.Equal(t, c.minSubnormal, f.MinSubnormal())
			assert.Equal(t, c.epsilon, f.Epsilon())
			assert.Equal(t, c.max, f.Decode(c.maxCode))
			assert.Equal(t, c.minNormal, f.Decode(c.minNormalCode))
			assert.Equal(t, c.minSubnormal, f.Decode(1))
			assert.Equal(t, 1+c.epsilon, f.Decode(c.oneAfterOneCode))
			assert.Equal(t, c.maxCode, f.Encode(c.max))
		})
	}
}

func TestULPIsTheStepToTheNextCode(t *testing.T) {
	for _, f := range []Format{FormatF16, FormatBF16, FormatE4M3, FormatE5M2} {
		for code := uint32(0); f.Decode(code) < f.Max(); code++ {
			require.Equal(t, f.Decode(code+1)-f.Decode(code), f.ULP(f.Decode(code)), "%v %#x", f, code)
			require.Equal(t, f.ULP(f.Decode(code)), f.ULP(-f.Decode(code)), "%v %#x", f, code)
		}
	}
	assert.Equal(t, 32.0, FormatF16.ULP(65504))
	assert.Equal(t, 32.0, FormatF16.ULP(1e30), "beyond the largest value: the top binade")
	assert.Equal(t, 32.0, FormatF16.ULP(math.Inf(-1)))
	assert.True(t, math.IsNaN(FormatF16.ULP(math.NaN())))
	assert.Equal(t, 0x1p-23, FormatF32.ULP(1.5))
	assert.Equal(t, 0x1p-149, FormatF32.ULP(0x1p-1000), "far below the subnormals")
}

func TestParseFormat(t *testing.T) {
	for _, f := range []Format{FormatF16, FormatBF16, FormatF32, FormatE4M3, FormatE5M2} {
		got, err := ParseFormat(f.String())
		require.NoError(t, err)
		assert.Equal(t, f, got)
	}
	_, err := ParseFormat("fp16")
	assert.EqualError(t, err, `unknown number format "fp16": write f16, bf16, f32, e4m3 or e5m2`)
	assert.Equal(t, []int{2, 2, 4, 1, 1, 0}, []int{FormatF16.Size(), FormatBF16.Size(), FormatF32.Size(), FormatE4M3.Size(), FormatE5M2.Size(), Format(0).Size()})
}

func TestE8M0(t *testing.T) {
	for code := range 255 {
		x := E8M0(code)
		require.Equal(t, math.Ldexp(1, code-127), float64(x.Float32()))
		require.Equal(t, x, E8M0Up(x.Float32()), "a power of two stays")
		require.Equal(t, x, E8M0Down(x.Float32()))
		above := math.Nextafter32(x.Float32(), math.MaxFloat32)
		require.Equal(t, min(x+1, 0xFE), E8M0Up(above))
		require.Equal(t, x, E8M0Down(-above), "the sign is ignored")
	}
	for _, c := range []struct {
		f        float32
		up, down E8M0
	}{
		{0, 0, 0},
		{0x1p-140, 0, 0},
		{float32(math.Inf(1)), 0xFE, 0xFE},
		{math.MaxFloat32, 0xFE, 0xFE},
		{float32(math.NaN()), 0xFF, 0xFF},
	} {
		assert.Equal(t, c.up, E8M0Up(c.f), "%v", c.f)
		assert.Equal(t, c.down, E8M0Down(c.f), "%v", c.f)
	}
	assert.True(t, math.IsNaN(float64(E8M0(0xFF).Float32())))
}

func TestTF32(t *testing.T) {
	const ulp = 0x1p-10 // of tf32 at 1
	for _, c := range []struct {
		why                   string
		f, nearest, away, cut float32
	}{
		{"representable", 1 + ulp, 1 + ulp, 1 + ulp, 1 + ulp},
		{"tie above an even value", 1 + ulp/2, 1, 1 + ulp, 1},
		{"tie above an odd value", 1 + 1.5*ulp, 1 + 2*ulp, 1 + 2*ulp, 1 + ulp},
		{"negative tie", -1 - ulp/2, -1, -1 - ulp, -1},
		{"just below a tie", 1 + ulp/2 - 0x1p-23, 1, 1, 1},
		{"just above a tie", 1 + ulp/2 + 0x1p-23, 1 + ulp, 1 + ulp, 1},
		{"overflow", math.MaxFloat32, float32(math.Inf(1)), float32(math.Inf(1)), 0x1.FFCp127},
		{"infinity", float32(math.Inf(-1)), float32(math.Inf(-1)), float32(math.Inf(-1)), float32(math.Inf(-1))},
		{"subnormal", 0x1p-149, 0, 0, 0},
	} {
		t.Run(c.why, func(t *testing.T) {
			assert.Equal(t, c.nearest, TF32Nearest(c.f))
			assert.Equal(t, c.away, TF32NearestAway(c.f))
			assert.Equal(t, c.cut, TF32Truncate(c.f))
		})
	}
	payload := math.Float32frombits(0xFF800001)
	for _, f := range []float32{TF32Nearest(payload), TF32NearestAway(payload), TF32Truncate(payload)} {
		assert.Equal(t, uint32(0x7FFFFFFF), math.Float32bits(f), "a NaN stays a NaN, though its payload lies in the dropped bits")
	}
}

func TestFP8ToF16IsExact(t *testing.T) {
	for code := range 256 {
		if x := E4M3(code); code&0x7F == 0x7F {
			assert.Equal(t, F16(0x7FFF), x.F16())
		} else {
			assert.Equal(t, math.Float32bits(x.Float32()), math.Float32bits(x.F16().Float32()), "%#x", code)
		}
		if x := E5M2(code); code&0x7F <= 0x7C {
			assert.Equal(t, F16(code)<<8, x.F16(), "%#x", code)
		} else {
			assert.Equal(t, F16(0x7FFF), x.F16())
		}
	}
}
