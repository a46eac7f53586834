package emu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/emu/tensor"
	"gohopper/pkg/hopper/event"
)

// The tests of this file multiply a tile of ones by a tile of ones, m64n8k16
// and f16: every element of D grows by 16 with each product.

func ones() []byte {
	a := operandTile{t: tensor.F16, m: constant(1, 64, 64)}
	b := operandTile{t: tensor.F16, m: constant(1, 8, 64), offset: a.bytes()}
	image := make([]byte, a.bytes()+b.bytes())
	a.place(image)
	b.place(image)
	return image
}

func constant(v, rows, columns int) [][]int {
	m := make([][]int, rows)
	for i := range m {
		for range columns {
			m[i] = append(m[i], v)
		}
	}
	return m
}

// descriptors puts those of the tiles in %rd8 and %rd9.
var descriptors = fmt.Sprintf("\tadd.u64 %%rd8, %%rd2, %#x;\n\tadd.u64 %%rd9, %%rd2, %#x;\n",
	operandTile{}.descriptor(0), operandTile{offset: 8192}.descriptor(0))

const (
	zeroD  = "\tmov.b32 %d0, 0;\n\tmov.b32 %d1, 0;\n\tmov.b32 %d2, 0;\n\tmov.b32 %d3, 0;\n"
	zeroE  = "\tmov.b32 %e0, 0;\n\tmov.b32 %e1, 0;\n\tmov.b32 %e2, 0;\n\tmov.b32 %e3, 0;\n"
	fence  = "\twgmma.fence.sync.aligned;\n"
	commit = "\twgmma.commit_group.sync.aligned;\n"
	mmaD   = "\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %rd8, %rd9, %p1, 1, 1, 0, 0;\n"
	mmaE   = "\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%e0, %e1, %e2, %e3}, %rd8, %rd9, %p1, 1, 1, 0, 0;\n"
)

// linger lets time pass in which a product may complete.
const linger = "\tbar.sync 0;\n"

func waitGroup(n int) string { return fmt.Sprintf("\twgmma.wait_group.sync.aligned %d;\n", n) }

// results runs body under many seeds and counts what thread 5 has in %d0.
func results(t *testing.T, threads int, body string) (values map[uint32]int, found []event.Finding) {
	values = map[uint32]int{}
	for seed := range int64(40) {
		out, f := tensorProbe{seed: seed, threads: threads, image: ones(), body: descriptors + body, outputs: 1}.run(t)
		values[out[5]]++
		found = append(found, f...)
	}
	return values, found
}

// What a kernel may rely on holds under every seed; what it may not rely on
// shows under some.
func TestWgmmaOrder(t *testing.T) {
	sixteen, thirtyTwo := code(tensor.F32, 16), code(tensor.F32, 32)
	for _, c := range []struct {
		name, body string
		always     uint32 // 0: the result depends on the seed
	}{
		{"a wait makes D valid", zeroD + fence + mmaD + commit + waitGroup(0), sixteen},
		{"products on one accumulator add up", zeroD + fence + mmaD + mmaD + commit + waitGroup(0), thirtyTwo},
		{"of two groups the older is done with one pending",
			zeroD + zeroE + fence + mmaD + commit + mmaE + commit + waitGroup(1) + "\tmov.b32 %d4, %d0;\n" + waitGroup(0) + "\tmov.b32 %d0, %d4;\n", sixteen},
		{"an empty group is done", zeroD + fence + mmaD + commit + commit + waitGroup(0), sixteen},
		{"D read without a wait", zeroD + fence + mmaD + commit + linger, 0},
		{"D read with its own group pending", zeroD + fence + mmaD + commit + waitGroup(1) + linger, 0},
		{"no commit, so nothing to wait for", zeroD + fence + mmaD + waitGroup(0) + linger, 0},
		{"D written while the product is under way", zeroD + fence + mmaD + commit + linger + "\tmov.b32 %d0, 0;\n" + waitGroup(0), 0},
		{"A overwritten while the product is under way",
			zeroD + fence + mmaD + commit + linger +
				"\tmul.lo.u32 %r8, %r2, 16;\n\tadd.u32 %r8, %r8, %r3;\n\tmov.u32 %r9, 0;\n" +
				"\tst.shared.u32 [%r8], %r9;\n\tst.shared.u32 [%r8+4], %r9;\n\tst.shared.u32 [%r8+8], %r9;\n\tst.shared.u32 [%r8+12], %r9;\n" +
				waitGroup(0), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			values, found := results(t, 128, c.body)
			require.Empty(t, found)
			if c.always != 0 {
				require.Equal(t, map[uint32]int{c.always: 40}, values)
				return
			}
			require.Contains(t, values, sixteen, "some seeds hide it")
			require.Greater(t, len(values), 1, "and some show it")
		})
	}
}

// ptxas serialises the products of a debug build, whose compiler copies D away
// before the wait.
func TestWgmmaInDebugBuilds(t *testing.T) {
	const copied = zeroD + fence + mmaD + linger + "\tmov.b32 %d0, %d0;\n" + mmaD + commit
	for seed := range int64(20) {
		out, found := tensorProbe{seed: seed, threads: 128, image: ones(), body: descriptors + copied, outputs: 1, debug: true}.run(t)
		require.Empty(t, found)
		require.Equal(t, code(tensor.F32, 32), out[5], "seed %d", seed)
	}
}

func TestWgmmaFindings(t *testing.T) {
	const skipWarp3 = "\tsetp.ge.u32 %p3, %r2, 96;\n\t@%p3 bra DONE;\n"
	whole := zeroD + fence + mmaD + commit + waitGroup(0)
	for _, c := range []struct {
		name    string
		threads int
		body    string
		rule    string
		text    string // in the finding
	}{
		{"half a warpgroup", 64, whole, "wgmma", "not part of a warpgroup"},
		{"descriptors differ between lanes", 128, "\tand.b32 %r8, %r2, 31;\n\tcvt.u64.u32 %rd10, %r8;\n\tadd.u64 %rd9, %rd9, %rd10;\n" + whole,
			"wgmma", "not the same in all threads"},
		{"descriptors differ between warps", 128,
			"\tshr.u32 %r8, %r2, 5;\n\tcvt.u64.u32 %rd10, %r8;\n\tadd.u64 %rd9, %rd9, %rd10;\n" + whole,
			"wgmma", "the four warps of a warpgroup do not execute the same"},
		{"scale-d differs between lanes", 128, "\tsetp.eq.u32 %p1, %r2, 5;\n" + whole, "wgmma", "scale-d is not the same"},
		{"a warp stays away", 128, skipWarp3 + whole + "DONE:\n", "stuck", "warp 3 of the warpgroup has not executed"},
		{"beyond shared memory", 128, "\tadd.u64 %rd9, %rd9, 0x3000;\n" + whole, "out-of-bounds", "past the end"},
		{"shared memory that was never written", 128, "\tadd.u64 %rd9, %rd9, 64;\n" + whole, "uninitialized", "never written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := results(t, c.threads, c.body)
			require.NotEmpty(t, found)
			for _, f := range found {
				require.Equal(t, c.rule, f.Rule, "%s", f)
				require.Contains(t, strings.Join(append(f.Details, f.Message), "\n"), c.text)
			}
		})
	}
}

// A form that the emulator does not know is refused when the module is loaded,
// at its line.
func TestTensorInstructionsRefused(t *testing.T) {
	four := "{%d0, %d1, %d2, %d3}"
	eight := "{%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}"
	for _, c := range []struct{ name, instruction string }{
		{"Volta's shape", "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 " + eight + ", {%d0, %d1}, {%d2, %d3}, " + eight},
		{"saturating integers", "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 " + four + ", " + four + ", {%d4, %d5}, " + four},
		{"single bits", "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc " + four + ", %rd8, %rd9, %p1"},
		{"a Blackwell matrix", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%d0, %d1}, [%r3]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(probeText, 128, 0, 4, "", "\t"+c.instruction+";\n", "")
			_, err := emu.New(emu.Config{}).Load(text)
			require.ErrorContains(t, err, "ptx:41:2: the emulator does not know "+strings.Fields(c.instruction)[0])
		})
	}
}
