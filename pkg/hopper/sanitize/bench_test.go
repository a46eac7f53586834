package sanitize_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
	"gohopper/pkg/hopper/sanitize"
)

// BenchmarkProduct is a warp-specialised product of 64 x 256 tiles: what the
// sanitizer costs where wgmma does the work.
func BenchmarkProduct(b *testing.B) {
	const stages, depth = 4, 64
	k := hopper.New("product", hopper.Threads(288))
	in := k.TensorMap("in")
	sa, sb := k.SharedRing(stages, hopper.F16, 2*box, box, hopper.Swizzle128B), k.SharedRing(stages, hopper.F16, 256, box, hopper.Swizzle128B)
	pipe := k.Pipeline(stages)
	acc := k.Accumulator(box, 256)
	start(k, func() { pipe.Init(1, 2) })
	k.IfElse(k.WarpgroupIdx().Less(2), func() {
		acc.Zero()
		at := pipe.Consumer()
		for range k.Range(0, depth, 1) {
			at.Acquire()
			multiply(k, acc, sa.Stage(at.Stage).From(k.WarpgroupIdx().Mul(box), box), sb.Stage(at.Stage))
			k.WgmmaWait(0)
			k.OneOfWarpgroup(func() { at.Empty().Arrive() })
			at.Advance()
		}
	}, func() {
		k.ElectOne(func() {
			at := pipe.Producer()
			for range k.Range(0, depth, 1) {
				at.Acquire()
				at.Full().ArriveExpectTx(6 * tileBytes)
				for i := range 2 {
					k.TMALoad(sa.Stage(at.Stage).From(i*box, box), in.At(0, i*box), at.Full())
				}
				for i := range 4 {
					k.TMALoad(sb.Stage(at.Stage).From(i*box, box), in.At(box, i*box), at.Full())
				}
				at.Advance()
			}
		})
	})
	compare(b, k)
}

// BenchmarkFragments is a product through ldmatrix and mma.sync: what it costs
// where every warp reads shared memory by itself.
func BenchmarkFragments(b *testing.B) {
	k := hopper.New("fragments", hopper.Threads(256))
	in := k.TensorMap("in")
	tile, full := k.Shared(hopper.F16, box, box, hopper.Swizzle128B), k.Mbarrier()
	acc := k.WarpAccumulator(64, 32)
	start(k, func() { full.Init(1) })
	acc.Zero()
	row := tile.Addr().Add(k.LaneIdx().And(15).Shl(7)).Add(k.LaneIdx().Shr(4).Shl(4))
	phase := k.Var(0)
	for range k.Range(0, 64, 1) {
		k.OneThread(func() {
			full.ArriveExpectTx(tileBytes)
			k.TMALoad(tile, in.At(0, 0), full)
		})
		full.Wait(phase)
		for step := range 4 {
			at := row.Xor(32 * step)
			var right []hopper.Fragment
			for j := range 2 {
				f := k.Ldmatrix4(at, 2048*j)
				right = append(right, f[:2], f[2:])
			}
			for i := range 4 {
				left := k.Ldmatrix4(at, 2048*i)
				for j := range right {
					k.MmaSync(acc, i, j, hopper.F16, left, right[j])
				}
			}
		}
		k.Sync()
		phase.Set(phase.Xor(1))
	}
	compare(b, k)
}

// BenchmarkOrdinary is a product through ordinary loads and stores of global
// memory: what it costs where every access is followed by itself.
func BenchmarkOrdinary(b *testing.B) {
	const n = 64
	measure(b, entry(`
	mov.u32 %r2, %ctaid.x;
	mad.lo.u32 %r3, %r2, 256, %r0;
	shr.u32 %r4, %r3, 6;
	and.b32 %r5, %r3, 63;
	mad.wide.u32 %rd1, %r4, 256, %rd0;
	mad.wide.u32 %rd2, %r5, 4, %rd0;
	add.u64 %rd2, %rd2, 16384;
	mov.u32 %r6, 64;
	mov.u32 %r7, 0;
NEXT:
	ld.global.u32 %r8, [%rd1];
	ld.global.u32 %r9, [%rd2];
	mad.lo.u32 %r7, %r8, %r9, %r7;
	add.u64 %rd1, %rd1, 4;
	add.u64 %rd2, %rd2, 256;
	sub.u32 %r6, %r6, 1;
	setp.ne.u32 %p1, %r6, 0;
	@%p1 bra NEXT;
	mad.wide.u32 %rd3, %r3, 4, %rd0;
	st.global.u32 [%rd3+32768], %r7;`), "k", device.Launch{Grid: [3]int{n * n / 256, 1, 1}, Block: [3]int{256, 1, 1}},
		func(d device.Device) (device.Arg, error) {
			p, err := d.Alloc(3 * 4 * n * n)
			if err != nil {
				return nil, err
			}
			return device.Pointer(p), d.Fill(p, 1, 3*4*n*n)
		})
}

// compare times a kernel that takes a tensor map.
func compare(b *testing.B, k *hopper.Kernel) {
	mod, err := k.Module()
	require.NoError(b, err)
	measure(b, ptx.Print(mod), k.Name(), device.Launch{Grid: [3]int{4, 1, 1}, Block: [3]int{k.ThreadsPerCTA(), 1, 1}, Shared: k.SharedBytes()},
		func(d device.Device) (device.Arg, error) {
			p, err := d.Alloc(2 * side * side)
			if err != nil {
				return nil, err
			}
			if err := d.Fill(p, 0x11, 2*side*side); err != nil {
				return nil, err
			}
			tensor, err := d.EncodeTiled(device.TensorMap{
				Type: device.MapF16, Address: p, Dims: []uint64{side, side}, Strides: []uint64{2 * side},
				Box: []uint32{box, box}, Swizzle: device.Swizzle128B,
			})
			return device.Map(tensor), err
		})
}

// measure times a kernel on the emulator, plainly and under the sanitizer, and
// reports the ratio.
func measure(b *testing.B, text, name string, l device.Launch, arg func(device.Device) (device.Arg, error)) {
	run := func(observe func(event.Launch) event.Observer) time.Duration {
		m := emu.New(emu.Config{Seed: 1, Workers: 1, Observe: observe})
		defer m.Close()
		loaded, err := m.Load(text)
		require.NoError(b, err)
		kernel, err := loaded.Kernel(name)
		require.NoError(b, err)
		a, err := arg(m)
		require.NoError(b, err)
		begin := time.Now()
		require.NoError(b, kernel.Launch(l, a))
		took := time.Since(begin)
		require.Empty(b, m.Findings())
		return took
	}
	var plain, sanitized time.Duration
	for b.Loop() {
		plain += run(nil)
		sanitized += run(sanitize.Observe)
	}
	b.ReportMetric(float64(plain.Microseconds())/float64(b.N), "plain-µs")
	b.ReportMetric(float64(sanitized.Microseconds())/float64(b.N), "sanitized-µs")
	b.ReportMetric(float64(sanitized)/float64(plain), "times")
}
