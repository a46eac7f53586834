package emu

import "gohopper/pkg/hopper/ptx"

// copyForms are the asynchronous copies and what they need (PTX 9.7.9.25 to
// 9.7.9.27, tensormap.replace).
var copyForms = map[string][]form{
	"cp": {
		{"async ca|cg shared|shared::cta global ?L2::cache_hint ?L2::64B|L2::128B|L2::256B", compileCopyAsync},
		{"async commit_group", compileCopyCommit},
		{"async wait_group", compileCopyWait},
		{"async wait_all", compileCopyWait},
		{"async mbarrier arrive ?noinc ?shared|shared::cta b64", compileCopyArrive},

		{"async bulk shared::cluster|shared::cta global mbarrier::complete_tx::bytes ?multicast::cluster ?L2::cache_hint", compileBulkLoad},
		{"async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes", compileBulkLoad},
		{"async bulk global shared::cta bulk_group ?L2::cache_hint", compileBulkStore},
		{"async bulk prefetch L2 global ?L2::cache_hint", compileBulkPrefetch},
		{"async bulk commit_group", compileBulkCommit},
		{"async bulk wait_group ?read", compileBulkWait},

		{toGlobal + "add u32|s32|u64|f32|f64", compileBulkStore},
		{toGlobal + "add noftz f16|bf16", compileBulkStore},
		{toGlobal + "min|max u32|s32|u64|s64|f16|bf16", compileBulkStore},
		{toGlobal + "inc|dec u32", compileBulkStore},
		{toGlobal + "and|or|xor b32|b64", compileBulkStore},
		{toCluster + "add u32|s32|u64", compileBulkLoad},
		{toCluster + "min|max u32|s32", compileBulkLoad},
		{toCluster + "inc|dec u32", compileBulkLoad},
		{toCluster + "and|or|xor b32", compileBulkLoad},

		{"async bulk tensor 1d|2d|3d|4d|5d shared::cluster|shared::cta global ?tile mbarrier::complete_tx::bytes ?multicast::cluster ?L2::cache_hint", compileTensorLoad},
		{"async bulk tensor 1d|2d|3d|4d|5d global shared::cta ?tile bulk_group ?L2::cache_hint", compileTensorStore},
		{"async bulk prefetch tensor 1d|2d|3d|4d|5d L2 global ?tile ?L2::cache_hint", compileTensorPrefetch},
		{"reduce async bulk tensor 1d|2d|3d|4d|5d global shared::cta add|min|max|inc|dec|and|or|xor ?tile bulk_group ?L2::cache_hint", compileTensorStore},
	},
	"tensormap": {
		{"replace tile global_address ?global|shared::cta b1024 b64", compileReplace},
		{"replace tile rank ?global|shared::cta b1024 b32", compileReplace},
		{"replace tile global_stride ?global|shared::cta b1024 b64", compileReplace},
		{"replace tile box_dim|global_dim|element_stride ?global|shared::cta b1024 b32", compileReplace},
		{"replace tile elemtype|interleave_layout|swizzle_mode|fill_mode ?global|shared::cta b1024 b32", compileReplace},
		{"cp_fenceproxy global shared::cta tensormap::generic release cta|cluster|gpu|sys sync aligned", compileCopyMap},
	},
}

// im2colForms are known only to be refused with advice.
var im2colForms = map[string][]form{"cp": {
	{"async bulk tensor 3d|4d|5d shared::cluster|shared::cta global im2col|im2col::w mbarrier::complete_tx::bytes ?multicast::cluster ?L2::cache_hint", refuseIm2col},
	{"async bulk tensor 3d|4d|5d global shared::cta im2col_no_offs bulk_group ?L2::cache_hint", refuseIm2col},
	{"async bulk prefetch tensor 3d|4d|5d L2 global im2col|im2col::w ?L2::cache_hint", refuseIm2col},
	{"reduce async bulk tensor 3d|4d|5d global shared::cta add|min|max|inc|dec|and|or|xor im2col_no_offs bulk_group ?L2::cache_hint", refuseIm2col},
}}

// The reductions without a tensor map; which types an operation has depends
// on the destination (PTX 9.7.9.25.4.2).
const (
	toGlobal  = "reduce async bulk global shared::cta bulk_group ?L2::cache_hint "
	toCluster = "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes "
)

func refuseIm2col(c *compiler, in *ptx.Instr) op {
	return c.failf("%s: the emulator knows tensor copies in tile mode only, not im2col", in.Name())
}

// policy compiles the cache policy at the end of the operands, which the
// emulator has no use for, and returns the operands before it. atLeast is how
// many an instruction without one has.
func (c *compiler) policy(atLeast int) []ptx.Operand {
	n := atLeast
	if c.in.Has("L2::cache_hint") {
		n++
	}
	args := c.args(n, n)
	if n > atLeast && c.err == nil {
		c.src64(args[atLeast])
	}
	return args[:atLeast]
}

// inPieces lets an engine do n units of an operation of so many bytes in
// pieces, at moments that the seed chooses, and then what follows the last.
func (c *cluster) inPieces(e engine, n, bytes int, piece func(from, to int), then func()) {
	pieces := 1 + c.random.IntN(4)
	left := pieces
	for i := range pieces {
		from, to := n*i/pieces, n*(i+1)/pieces
		c.after(c.delay(e, bytes), func() {
			if from < to {
				piece(from, to)
			}
			if left--; left == 0 {
				then()
			}
		})
	}
}
