package emu_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// grid5 is a tensor of u16 with odd sizes, of the first rank dimensions.
func grid5(rank int) device.TensorMap {
	dims := []uint64{19, 5, 3, 3, 2}
	m := device.TensorMap{Type: device.MapU16, Dims: dims[:rank], Box: []uint32{16, 3, 2, 2, 2}[:rank]}
	stride := uint64(48)
	for i := 1; i < rank; i++ {
		m.Strides = append(m.Strides, stride)
		stride *= dims[i]
	}
	return m
}

func tensorBytes(m device.TensorMap) int {
	n := 48
	for _, d := range m.Dims[1:] {
		n *= int(d)
	}
	return n
}

// element is the offset in the buffer of an element; false outside the tensor.
// A row has width elements.
func element(m device.TensorMap, width int, at []int) (int, bool) {
	n := 0
	for i, x := range at {
		if x < 0 || i == 0 && x >= width || i > 0 && x >= int(m.Dims[i]) {
			return 0, false
		}
		if i == 0 {
			n = 2 * x
		} else {
			n += x * int(m.Strides[i-1])
		}
	}
	return n, true
}

// moved is b after the box of a at from was loaded and stored at to. A store
// writes rows up to a multiple of 16 bytes, as an H200 does.
func moved(m device.TensorMap, a, b []byte, from, to []int) []byte {
	out := append([]byte(nil), b...)
	at := make([]int, len(m.Dims))
	var walk func(d int)
	walk = func(d int) {
		if d == len(at) {
			src, dst := make([]int, d), make([]int, d)
			for i := range at {
				src[i], dst[i] = from[i]+at[i], to[i]+at[i]
			}
			var v uint16
			if n, ok := element(m, int(m.Dims[0]), src); ok {
				v = binary.LittleEndian.Uint16(a[n:])
			}
			if n, ok := element(m, (int(m.Dims[0])+7)/8*8, dst); ok {
				binary.LittleEndian.PutUint16(out[n:], v)
			}
			return
		}
		for at[d] = range int(m.Box[d]) {
			walk(d + 1)
		}
	}
	walk(0)
	return out
}

func coordinates(c []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(c), "[]"), " ", ", ")
}

// roundTrip loads a box of mapA and stores it through mapB.
func roundTrip(rank, bytes int, from, to []int) string {
	return one(initBar + expect(bytes) +
		fmt.Sprintf("\tcp.async.bulk.tensor.%dd.shared::cluster.global.mbarrier::complete_tx::bytes [%%r1], [%%rd1, {%s}], [%%r2];\n", rank, coordinates(from)) +
		waitBar +
		fmt.Sprintf("\tcp.async.bulk.tensor.%dd.global.shared::cta.bulk_group [%%rd2, {%s}], [%%r1];\n", rank, coordinates(to)) +
		waitStores)
}

// TestTensorRoundTrip moves boxes over the edges of tensors of every rank,
// with every swizzle.
func TestTensorRoundTrip(t *testing.T) {
	for rank := 1; rank <= 5; rank++ {
		for s := device.SwizzleNone; s <= device.Swizzle128B; s++ {
			m := grid5(rank)
			m.Swizzle = s
			bytes := 2
			for _, n := range m.Box {
				bytes *= int(n)
			}
			for name, ends := range map[string][2][]int{
				"inside":       {{0, 0, 0, 0, 0}, {0, 1, 1, 1, 0}},
				"past the end": {{8, 3, 2, 2, 1}, {0, 0, 0, 0, 0}},
				"before":       {{-8, -2, -1, -1, -1}, {8, 3, 2, 2, 1}},
				"outside":      {{-16, 0, 0, 0, 0}, {0, 0, 0, 0, 0}},
			} {
				t.Run(fmt.Sprintf("%dd/%v/%s", rank, s, name), func(t *testing.T) {
					from, to := ends[0][:rank], ends[1][:rank]
					p := copyProbe{
						a: numbered(tensorBytes(m)), b: background(tensorBytes(m)), mapA: m, mapB: m,
						body: roundTrip(rank, bytes, from, to),
					}
					p.clean(t, moved(m, p.a, p.b, from, to))
				})
			}
		}
	}
}

// TestTensorSwizzle reads a loaded box with ordinary loads: the swizzle must
// show in shared memory.
func TestTensorSwizzle(t *testing.T) {
	for s, flip := range map[device.Swizzle]func(row int) int{
		device.SwizzleNone: func(int) int { return 0 },
		device.Swizzle32B:  func(row int) int { return row / 4 % 2 },
		device.Swizzle64B:  func(row int) int { return row / 2 % 4 },
		device.Swizzle128B: func(row int) int { return row % 8 },
	} {
		t.Run(s.String(), func(t *testing.T) {
			span := max(s.Span(), 32)
			m := device.TensorMap{Type: device.MapU16, Dims: []uint64{uint64(span / 2), 16}, Strides: []uint64{uint64(span)},
				Box: []uint32{uint32(span / 2), 16}, Swizzle: s}
			p := copyProbe{a: numbered(16 * span), b: background(16 * span), mapA: m}
			p.body = "\tbar.sync 0;\n\t@!%p0 bra READ;\n" + initBar + expect(16*span) +
				"\tcp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {0, 0}], [%r2];\n" +
				waitBar + "READ:\n\tbar.sync 0;\n\tshl.b32 %r4, %r0, 2;\n" +
				"COPY:\n\tadd.u32 %r5, %r1, %r4;\n\tld.shared.u32 %r6, [%r5];\n\tcvt.u64.u32 %rd5, %r4;\n\tadd.u64 %rd5, %rd4, %rd5;\n\tst.global.u32 [%rd5], %r6;\n" +
				fmt.Sprintf("\tadd.u32 %%r4, %%r4, 128;\n\tsetp.lt.u32 %%p2, %%r4, %d;\n\t@%%p2 bra COPY;\n", 16*span)
			want := make([]byte, 16*span)
			for row := range 16 {
				for chunk := range span / 16 {
					copy(want[row*span+(chunk^flip(row))*16:][:16], p.a[row*span+chunk*16:])
				}
			}
			p.clean(t, want)
		})
	}
}

// TestTensorMulticast: CTA 1 loads one box into both CTAs of a cluster; each
// stores its copy to its own half of b.
func TestTensorMulticast(t *testing.T) {
	m := device.TensorMap{Type: device.MapU16, Dims: []uint64{64, 8}, Strides: []uint64{128}, Box: []uint32{64, 8}, Swizzle: device.Swizzle128B}
	out := m
	out.Dims = []uint64{64, 16}
	body := "\t@!%p0 bra SYNC;\n" + initBar + expect(1024) + "SYNC:\n" +
		"\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n" +
		"\t@!%p0 bra END;\n\tsetp.ne.u32 %p2, %r3, 1;\n\t@%p2 bra WAIT;\n\tmov.u16 %h1, 3;\n" +
		"\tcp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1, {0, 0}], [%r2], %h1;\n" +
		waitBar +
		"\tshl.b32 %r4, %r3, 3;\n\tcp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd2, {0, %r4}], [%r1];\n" +
		waitStores + "END:\n\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n"
	p := copyProbe{cluster: 2, a: numbered(1024), b: background(2048), mapA: m, mapB: out, body: body}
	p.clean(t, append(append([]byte(nil), p.a...), p.a...))
}

// TestTensorReduce adds a loaded tile to what b holds, from two CTAs at once.
func TestTensorReduce(t *testing.T) {
	m := device.TensorMap{Type: device.MapU32, Dims: []uint64{32, 8}, Strides: []uint64{128}, Box: []uint32{32, 8}, Swizzle: device.Swizzle128B}
	half := m
	half.Type = device.MapF16
	half.Dims, half.Box = []uint64{64, 8}, []uint32{64, 8}
	for _, c := range []struct {
		name string
		m    device.TensorMap
		op   string
		a, b uint32
		want uint32
	}{
		{"add u32", m, "add", 3, 100, 106},
		{"max u32", m, "max", 300, 100, 300},
		{"xor u32", m, "xor", 5, 9, 9}, // twice
		{"add f16: 1 + 2 x 0.5 in both halves", half, "add", 0x38003800, 0x3c003c00, 0x40004000},
		{"min f16", half, "min", 0x38003800, 0x3c003c00, 0x38003800},
	} {
		t.Run(c.name, func(t *testing.T) {
			fill := func(v uint32) (b []byte) {
				for range 256 {
					b = binary.LittleEndian.AppendUint32(b, v)
				}
				return b
			}
			body := one(initBar + expect(1024) +
				"\tcp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {0, 0}], [%r2];\n" + waitBar +
				"\tcp.reduce.async.bulk.tensor.2d.global.shared::cta." + c.op + ".tile.bulk_group [%rd2, {0, 0}], [%r1];\n" + waitStores)
			copyProbe{cluster: 2, a: fill(c.a), b: fill(c.b), mapA: c.m, mapB: c.m, body: body}.clean(t, fill(c.want))
		})
	}
}

// TestTensorMapInMemory: the map may lie in global memory, in a variable named
// in the operand, and be prefetched.
func TestTensorMapInMemory(t *testing.T) {
	m := device.TensorMap{Type: device.MapU16, Dims: []uint64{64, 8}, Strides: []uint64{128}, Box: []uint32{32, 8}, Swizzle: device.Swizzle64B}
	body := roundTrip(2, 512, []int{32, 0}, []int{0, 0})
	body = "\tshl.b32 %r4, %r0, 2;\n\tcvt.u64.u32 %rd5, %r4;\n\tadd.u64 %rd6, %rd1, %rd5;\n\tld.u32 %r5, [%rd6];\n" +
		"\tmov.u64 %rd6, spare;\n\tadd.u64 %rd6, %rd6, %rd5;\n\tst.global.u32 [%rd6], %r5;\n\tfence.proxy.tensormap::generic.release.gpu;\n\tbar.sync 0;\n" +
		"\tfence.proxy.tensormap::generic.acquire.gpu [spare], 128;\n\tprefetch.tensormap [%rd2];\n" +
		"\tcp.async.bulk.prefetch.tensor.2d.L2.global.tile [spare, {0, 0}];\n" + strings.Replace(body, "[%rd1, ", "[spare, ", 1)
	p := copyProbe{a: numbered(1024), b: background(1024), mapA: m, mapB: m, body: body}
	p.clean(t, moved(m, p.a, p.b, []int{32, 0}, []int{0, 0}))
}

// TestTensorFindings breaks what a tensor copy needs, once each.
func TestTensorFindings(t *testing.T) {
	m := device.TensorMap{Type: device.MapU16, Dims: []uint64{64, 8}, Strides: []uint64{128}, Box: []uint32{64, 8}}
	const load = "\tcp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {0, 0}], [%r2];\n"
	const store = "\tcp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd2, {0, 0}], [%r1];\n"
	for _, c := range []struct {
		name, rule, message string
		change              func(p *copyProbe)
	}{
		{"destination alignment", "misaligned", "the destination of the copy is at shared+0x440, which is not a multiple of 128",
			func(p *copyProbe) { p.body = strings.Replace(p.body, "[%r1], [%rd1", "[%r1+64], [%rd1", 1) }},
		{"source alignment", "misaligned", "the source of the copy is at shared+0x420, which is not a multiple of 128",
			func(p *copyProbe) { p.body = strings.Replace(p.body, "}], [%r1]", "}], [%r1+32]", 1) }},
		{"coordinate between 16-byte units", "tensor-map", "coordinate 3 of 2-byte elements starts the box at byte 6 of its rows",
			func(p *copyProbe) { p.body = strings.Replace(p.body, "[%rd1, {0, 0}]", "[%rd1, {3, 0}]", 1) }},
		{"negative corner of a store", "tensor-map", "coordinate 1 is -1: a store's corner must not be negative",
			func(p *copyProbe) { p.body = strings.Replace(p.body, "[%rd2, {0, 0}]", "[%rd2, {0, -1}]", 1) }},
		{"rank of the map", "tensor-map", "2 coordinates for a tensor map of rank 1",
			func(p *copyProbe) {
				p.mapA = device.TensorMap{Type: device.MapU16, Dims: []uint64{64}, Box: []uint32{64}}
			}},
		{"bytes that are no map", "tensor-map", "the 128 bytes are no tensor map",
			func(p *copyProbe) { p.mapA = device.TensorMap{} }},
		{"map alignment", "misaligned", "reads 128 bytes at param+0x8, which is not a multiple of 64",
			func(p *copyProbe) { p.body = "\tadd.u64 %rd1, %rd1, 8;\n" + p.body }},
		{"tensor larger than its memory", "out-of-bounds", "reads 128 bytes at global address",
			func(p *copyProbe) { p.mapA.Dims = []uint64{64, 9}; p.mapA.Box = []uint32{64, 9}; p.expect(1152) }},
		{"box over the end of shared memory", "out-of-bounds", "writes ",
			func(p *copyProbe) { p.body = strings.Replace(p.body, "[%r1], [%rd1", "[%r1+7680], [%rd1", 1) }},
		{"store of what was never written", "uninitialized", "reads 128 bytes of which the one at shared+0x800 (buf+1024) was never written",
			func(p *copyProbe) {
				p.mapB.Box = []uint32{64, 9}
				p.mapB.Dims = []uint64{64, 9}
				p.b = background(1152)
			}},
		{"no wait before the end", "lifetime", "the CTA exits ",
			func(p *copyProbe) { p.body = strings.Replace(p.body, "\tcp.async.bulk.wait_group 0;\n", "", 1) }},
		{"no commit", "lifetime", "the CTA exits ",
			func(p *copyProbe) { p.body = strings.Replace(p.body, "\tcp.async.bulk.commit_group;\n", "", 1) }},
		{"reduction that the engine lacks", "tensor-map", "the copy engine has no .inc for elements of type u16",
			func(p *copyProbe) {
				p.body = strings.Replace(p.body, "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group", "cp.reduce.async.bulk.tensor.2d.global.shared::cta.inc.bulk_group", 1)
			}},
		{"map in the wrong state space", "out-of-bounds", "reads 128 bytes at ",
			func(p *copyProbe) { p.body = "\tmov.b64 %rd1, 4096;\n" + p.body }},
		{"mask beyond the cluster", "multicast", "the CTA mask is 0x2; bit i stands for CTA rank i, and the cluster has 1",
			func(p *copyProbe) {
				p.body = strings.Replace(p.body, load, strings.Replace(strings.Replace(load, "complete_tx::bytes", "complete_tx::bytes.multicast::cluster", 1), "[%r2]", "[%r2], 2", 1), 1)
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &copyProbe{a: numbered(1024), b: background(1024), mapA: m, mapB: m,
				body: one(initBar + expect(1024) + load + waitBar + store + waitStores)}
			p.clean(t, p.a)
			c.change(p)
			p.finding(t, c.rule, c.message)
		})
	}
}

// expect changes the bytes that the probe's mbarrier expects.
func (p *copyProbe) expect(bytes int) {
	p.body = strings.Replace(p.body, expect(1024), expect(bytes), 1)
}

// TestTensorRefused: forms that a load refuses, with their line.
func TestTensorRefused(t *testing.T) {
	for _, c := range []struct{ name, instruction, want string }{
		{"im2col", "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1], [%rd1, {0, 0, 0}], [%r2], {%h1}",
			"the emulator knows tensor copies in tile mode only, not im2col"},
		{"ordinal", "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r1], 4, %rd1",
			"has ordinal 4; it must be 0 to 3"},
		{"swizzle of a later chip", "tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r1], 4",
			"has value 4; sm_90a knows 0 to 3"},
		{"reduction of another type", "cp.reduce.async.bulk.global.shared::cta.bulk_group.and.f32 [%rd3], [%r1], 16", "does not know cp.reduce"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.ErrorContains(t, copyProbe{body: "\t" + c.instruction + ";\n"}.load(), c.want)
		})
	}
}

// BenchmarkTensorLoad is the copy engine alone: one thread loads boxes of 64
// rows of 128 bytes, one after the other.
func BenchmarkTensorLoad(bench *testing.B) {
	for s := device.SwizzleNone; s <= device.Swizzle128B; s += device.Swizzle128B {
		bench.Run(s.String(), func(bench *testing.B) {
			m := device.TensorMap{Type: device.MapU16, Dims: []uint64{64, 64}, Strides: []uint64{128}, Box: []uint32{64, 64}, Swizzle: s}
			const loads, bytes = 1000, 8192
			p := copyProbe{a: numbered(bytes), mapA: m, body: one(initBar + "\tmov.u32 %r4, 0;\nNEXT:\n" + expect(bytes) +
				"\tcp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {0, 0}], [%r2];\n\tand.b32 %r5, %r4, 1;\n" +
				strings.Replace(waitBar, "[%r2], 0", "[%r2], %r5", 1) +
				fmt.Sprintf("\tadd.u32 %%r4, %%r4, 1;\n\tsetp.lt.u32 %%p2, %%r4, %d;\n\t@%%p2 bra NEXT;\n", loads))}
			bench.SetBytes(loads * bytes)
			for bench.Loop() {
				_, _, found := p.run(bench, 1)
				require.Empty(bench, found)
			}
		})
	}
}
