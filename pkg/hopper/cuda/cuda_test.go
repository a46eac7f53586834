//go:build cuda && cgo

package cuda

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/device/devicetest"
)

// openGPU opens the first GPU, and skips the test where the machine has none.
func openGPU(t *testing.T) *gpu {
	d, err := Open(0)
	for _, reason := range []error{ErrNoDriver, ErrNoDevice, ErrOldDriver, ErrNotHopper} {
		if errors.Is(err, reason) {
			t.Skip(err)
		}
	}
	require.NoError(t, err)
	g := d.(*gpu)
	if g.info.Name == pretend {
		require.NoError(t, g.Close())
		t.Skip("needs a GPU, and the driver is the pretend one")
	}
	return g
}

func TestSuite(t *testing.T) {
	require.NoError(t, openGPU(t).Close(), "skip the suite as one where there is no GPU")
	devicetest.Run(t, func(t *testing.T) device.Device { return openGPU(t) })
}

func TestTimer(t *testing.T) {
	g := openGPU(t)
	defer g.Close()
	const n = 1 << 28
	p, err := g.Alloc(n)
	require.NoError(t, err)
	ms, err := g.Time(func() error { return g.Fill(p, 1, n) })
	require.NoError(t, err)
	assert.Greater(t, ms, 0.01, "256 MiB cannot be filled at 26 TB/s")
	assert.Less(t, ms, 1000.0)
	wrong := errors.New("wrong")
	_, err = g.Time(func() error { return wrong })
	assert.ErrorIs(t, err, wrong)
}

func TestSensor(t *testing.T) {
	g := openGPU(t)
	defer g.Close()
	if g.sensors == nil {
		t.Skip(g.noSense)
	}
	r, err := g.Read()
	require.NoError(t, err)
	assert.Greater(t, r.SMClockMHz, 100)
	assert.Greater(t, r.MemClockMHz, 1000)
	assert.Greater(t, r.PowerW, 10.0)
	assert.Greater(t, r.TempC, 10)
	assert.NotEmpty(t, g.Info().Driver)
	assert.Greater(t, g.Info().PowerLimitW, 100)
}

// TestLibrary multiplies matrices of small integers, whose product is exact in
// both types, of three different sizes, so that no operand can change places.
func TestLibrary(t *testing.T) {
	g := openGPU(t)
	defer g.Close()
	lib, err := g.Library()
	if err != nil {
		t.Skip(err)
	}
	defer func() { require.NoError(t, lib.Close()) }()
	assert.Regexp(t, `^cuBLAS 1[23]\.\d+\.\d+$`, lib.Name())

	const m, n, k = 96, 80, 64
	a := func(i, j int) float32 { return float32((i*3+j*5)%5 - 2) }
	b := func(i, j int) float32 { return float32((i*7+j*2)%4 - 1) }
	for _, typ := range []device.ElemType{device.F16, device.BF16} {
		pa, pb := put(t, g, typ, m, k, a), put(t, g, typ, n, k, b)
		pc := put(t, g, typ, m, n, func(i, j int) float32 { return float32(math.NaN()) })
		require.NoError(t, lib.MatMul(typ, m, n, k, pa, pb, pc))
		out := make([]byte, 2*m*n)
		require.NoError(t, g.Download(out, pc))
		for i := range m {
			for j := range n {
				var want float32
				for x := range k {
					want += a(i, x) * b(j, x)
				}
				bits := binary.LittleEndian.Uint16(out[2*(i*n+j):])
				require.Equal(t, want, wide(typ, bits), "%s element %d, %d", typ, i, j)
			}
		}
	}
	assert.Error(t, lib.MatMul("f64", m, n, k, 0, 0, 0))
	assert.Error(t, lib.MatMul(device.F16, 0, n, k, 0, 0, 0))
}

// put uploads a rows x cols matrix of type typ.
func put(t *testing.T, g *gpu, typ device.ElemType, rows, cols int, f func(i, j int) float32) device.Ptr {
	var text []byte
	for i := range rows {
		for j := range cols {
			text = binary.LittleEndian.AppendUint16(text, narrow(typ, f(i, j)))
		}
	}
	p, err := g.Alloc(len(text))
	require.NoError(t, err)
	require.NoError(t, g.Upload(p, text))
	return p
}

// narrow and wide convert the values of this test, all exact: NaN, 0 and
// integers of few bits, by moving the fields of a float32.
func narrow(typ device.ElemType, v float32) uint16 {
	b := math.Float32bits(v)
	switch {
	case typ == device.BF16:
		return uint16(b >> 16)
	case v == 0:
		return 0
	case v != v:
		return 0x7E00
	}
	return uint16(b>>16&0x8000 | (b>>23&0xFF-112)<<10 | b>>13&0x3FF)
}

func wide(typ device.ElemType, b uint16) float32 {
	switch {
	case typ == device.BF16:
		return math.Float32frombits(uint32(b) << 16)
	case b&0x7FFF == 0:
		return 0
	}
	return math.Float32frombits(uint32(b&0x8000)<<16 | (uint32(b>>10&0x1F)+112)<<23 | uint32(b&0x3FF)<<13)
}

// TestZFault runs last, for it costs the context: a kernel that writes to an
// address nobody allocated. The error names the launch.
func TestZFault(t *testing.T) {
	g := openGPU(t)
	m, err := g.Load(`.version 8.0
.target sm_90a
.address_size 64
.visible .entry wild(.param .u64 p)
{
	.reg .b64 %p;
	ld.param.u64 %p, [p];
	st.global.u32 [%p], 1;
	ret;
}`)
	require.NoError(t, err)
	k, err := m.Kernel("wild")
	require.NoError(t, err)
	require.NoError(t, k.Launch(device.Launch{Grid: [3]int{2, 1, 1}, Block: [3]int{32, 1, 1}}, device.Pointer(256)))
	err = g.Synchronize()
	require.Error(t, err)
	assert.Contains(t, err.Error(), "kernel wild, grid 2x1x1, block 32x1x1")
	assert.Contains(t, err.Error(), "CUDA_ERROR_ILLEGAL_ADDRESS")
	_, err = g.Alloc(1)
	assert.Error(t, err, "the context is lost")
	_ = g.Close() // repeats the failure
}
