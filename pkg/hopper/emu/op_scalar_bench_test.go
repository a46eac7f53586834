package emu

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkScalar is the time of one instruction of a whole warp, and of a
// warp of which one lane is on, for the forms that kernels execute most.
func BenchmarkScalar(b *testing.B) {
	hot := []string{
		"add.s32", "add.s64", "mul.lo.s32", "mad.lo.s32", "mul.wide.u32", "and.b32", "xor.b32", "shl.b32", "shr.u32",
		"shr.s32", "mov.b32", "mov.b64", "selp.b32", "setp.lt.s32", "setp.ge.u64", "setp.gt.f32", "min.s32", "add.f32", "mul.f32",
		"fma.rn.f32", "fma.rn.ftz.f32", "max.f32", "ex2.approx.ftz.f32", "fma.rn.f16x2", "add.f16x2",
		"cvt.u64.u32", "cvt.u32.u64", "cvt.rn.f32.s32", "cvt.rn.f16x2.f32", "cvt.rn.bf16x2.f32", "cvt.f32.f16",
		"cvt.rn.satfinite.e4m3x2.f32", "lop3.b32", "prmt.b32", "div.u32",
	}
	cases := map[string]scalarCase{}
	for _, c := range readScalarCases(b) {
		if _, ok := cases[c.form]; !ok {
			cases[c.form] = c
		}
	}
	m := New(Config{Workers: 1})
	for _, form := range hot {
		require.Contains(b, cases, form)
		mod, err := m.Load(cases[form].kernel())
		require.NoError(b, err)
		k, err := mod.Kernel("k")
		require.NoError(b, err)
		prog := k.(*kernel).prog
		w := &warp{prog: prog, r: slices.Clone(prog.rows32), d: slices.Clone(prog.rows64), p: slices.Clone(prog.preds)}
		at := slices.IndexFunc(prog.code, func(x inst) bool { return x.src.Name() == form })
		for i := range w.r { // values of a kernel rather than poison
			for lane := range w.r[i] {
				w.r[i][lane] = 0x3f800000 + uint32(i*lanes+lane)<<13
			}
		}
		run := prog.code[at].run
		for name, on := range map[string]mask{"warp": allLanes, "lane": 1} {
			b.Run(form+"/"+name, func(b *testing.B) {
				for b.Loop() {
					run(w, on)
				}
			})
		}
	}
}
