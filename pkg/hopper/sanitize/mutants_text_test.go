package sanitize_test

import (
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/sanitize"
)

// textMutants break what can be seen in the text, or what the words would not
// let one write.
func textMutants() []mutant {
	load := func(k *hopper.Kernel, _ bool) { one(k, tileBytes, 0) }
	return []mutant{
		{name: "B17 no wgmma.fence", rules: []string{sanitize.WgmmaFence}, record: load,
			edit: replaced("\twgmma.fence.sync.aligned;\n", "")},
		{name: "B17 accumulator touched", rules: []string{sanitize.Accumulator}, record: load,
			edit: replaced("\twgmma.commit_group.sync.aligned;\n", "\twgmma.commit_group.sync.aligned;\n\tadd.f32 %f0, %f0, %f0;\n")},
		{name: "B18 two modes", rules: []string{sanitize.Swizzle}, plain: true, record: load},
		{name: "B18 off the atom", rules: []string{sanitize.Swizzle}, record: load,
			edit: replaced("mov.u32                 %smem, smem;", "mov.u32 %smem, smem; add.u32 %smem, %smem, 128;")},
	}
}
