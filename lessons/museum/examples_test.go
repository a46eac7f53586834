package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/sanitize"
)

// An example is a small kernel that breaks one rule which no exhibit shows. It
// is PTX, for the words of the vocabulary refuse most of these mistakes.
type example struct {
	rule    string
	says    string // what the kernel does, for the page
	threads int    // of a CTA; 0: 32
	cluster int    // CTAs, in one cluster; 0: 1
	budget  int64  // instructions; 0: as many as it takes
	outside string // declarations before the kernel
	body    string
}

// run launches an example and returns its finding of the rule.
func (x example) run(t *testing.T) event.Finding {
	const before = `.version 8.6
.target sm_90a
.address_size 64
%s
.visible .entry example(.param .u64 buffer)
.maxntid %d
.minnctapersm 1
{
	.reg .pred %%p<4>;
	.reg .b16 %%h<4>;
	.reg .b32 %%r<16>;
	.reg .b64 %%rd<16>;
	.reg .f32 %%f<32>;
	ld.param.u64 %%rd0, [buffer];
%s	ret;
}
`
	threads, cluster := max(x.threads, 32), max(x.cluster, 1)
	m := emu.New(emu.Config{Seed: 1, Budget: x.budget, Observe: sanitize.Observe})
	defer m.Close()
	mod, err := m.Load(fmt.Sprintf(before, x.outside, threads, x.body))
	require.NoError(t, err, x.rule)
	kernel, err := mod.Kernel("example")
	require.NoError(t, err)
	buffer, err := m.Alloc(1024)
	require.NoError(t, err)
	require.NoError(t, m.Fill(buffer, 0, 1024))
	l := device.Launch{Grid: [3]int{cluster, 1, 1}, Block: [3]int{threads, 1, 1}, Cluster: [3]int{cluster, 1, 1}}
	require.NoError(t, kernel.Launch(l, device.Pointer(buffer)))
	for _, f := range m.Findings() {
		if f.Rule == x.rule {
			return f
		}
	}
	require.Fail(t, "the example does not break its rule", "%s: %v", x.rule, m.Findings())
	return event.Finding{}
}

// memory is a tile of shared memory and a barrier beside it.
const memory = ".shared .align 1024 .b8 tile[1024];\n.shared .align 8 .b8 full[8];"

// initialise lets thread 0 make the barrier, and publishes it.
const initialise = `	mov.u32 %r0, %tid.x;
	setp.eq.u32 %p0, %r0, 0;
	@%p0 mbarrier.init.shared::cta.b64 [full], 1;
	@%p0 fence.mbarrier_init.release.cluster;
	bar.sync 0;
`

// load lets thread 0 copy the buffer into the tile.
const load = `	@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 1024;
	@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], 1024, [full];
`

// wait waits for a phase of the barrier.
func wait(parity int) string {
	return fmt.Sprintf("AGAIN%d:\n\tmbarrier.try_wait.parity.shared::cta.b64 %%p1, [full], %d;\n\t@!%%p1 bra AGAIN%d;\n", parity, parity, parity)
}

// clusterSync is the barrier of the cluster.
const clusterSync = "\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n"

// oneProduct is one wgmma from the tile, with the descriptor in %rd1.
const oneProduct = `	mov.u32 %r1, tile;
	shr.u32 %r1, %r1, 4;
	cvt.u64.u32 %rd1, %r1;
	wgmma.fence.sync.aligned;
	setp.eq.u32 %p1, 0, 1;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd1, %p1, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
`

func examples() []example {
	return []example{
		{rule: sanitize.Race, says: "one warp writes a word, another reads it", threads: 64, outside: memory,
			body: `	mov.u32 %r0, %tid.x;
	shl.b32 %r1, %r0, 2;
	mov.u32 %r2, tile;
	add.u32 %r1, %r1, %r2;
	st.shared.u32 [%r1], %r0;
	xor.b32 %r1, %r1, 128;
	ld.shared.u32 %r3, [%r1];
`},
		{rule: sanitize.MbarrierInit, says: "the barrier is initialised, and no fence publishes it to the copy engine", outside: memory,
			body: strings.Replace(initialise, "\t@%p0 fence.mbarrier_init.release.cluster;\n", "", 1) + load + wait(0)},
		{rule: sanitize.MissingWait, says: "a tile is read while it is loaded", outside: memory,
			body: initialise + load + "\tld.shared.u32 %r1, [tile];\n" + wait(0)},
		{rule: sanitize.PeerForm, says: "an arrival of the CTA's own form is sent to a peer", cluster: 2, outside: memory,
			body: initialise + clusterSync + "\tmapa.shared::cluster.u32 %r1, full, 1;\n\t@%p0 mbarrier.arrive.shared::cta.b64 %rd1, [%r1];\n" + clusterSync},

		{rule: "stuck", says: "a phase is waited for, and nobody arrives", outside: memory, body: initialise + wait(0)},
		{rule: "budget", says: "a loop that does not end, with a limit of 1000 instructions", budget: 1000,
			body: "AGAIN:\n\tadd.u32 %r1, %r1, 1;\n\tbra AGAIN;\n"},
		{rule: "uninitialized", says: "shared memory is read that nobody wrote", outside: memory, body: "\tld.shared.u32 %r1, [tile];\n"},
		{rule: "out-of-bounds", says: "a store goes past the end of its buffer", body: "\tst.global.u32 [%rd0+1024], %r1;\n"},
		{rule: "misaligned", says: "16 bytes are read at an address that is a multiple of 8", body: "\tld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0+8];\n"},
		{rule: "mbarrier", says: "an arrival comes before the initialisation", outside: memory, body: "\tmbarrier.arrive.shared::cta.b64 %rd1, [full];\n"},
		{rule: "barrier", says: "barrier 16 is used, and a CTA has 0 to 15", body: "\tmov.u32 %r0, 16;\n\tbar.sync %r0, 32;\n"},
		{rule: "cluster", says: "a cluster of one is asked for its rank 1", outside: memory, body: "\tmapa.shared::cluster.u32 %r1, tile, 1;\n"},
		{rule: "exited", says: "a peer is read long after its end", cluster: 2, outside: memory, body: `	mov.u32 %r0, %cluster_ctarank;
	st.shared.u32 [tile], %r0;
	setp.eq.u32 %p0, %r0, 1;
	@%p0 exit;
	mov.u32 %r2, 0;
SPIN:
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p0, %r2, 5000;
	@%p0 bra SPIN;
	mapa.shared::cluster.u32 %r3, tile, 1;
	ld.shared::cluster.u32 %r1, [%r3];
`},
		{rule: "lifetime", says: "the CTA ends with a store under way", outside: memory, body: `	mov.u32 %r0, %tid.x;
	setp.eq.u32 %p0, %r0, 0;
	mov.u32 %r1, 0;
	st.shared.v4.u32 [tile], {%r1, %r1, %r1, %r1};
	fence.proxy.async.shared::cta;
	bar.sync 0;
	@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 16;
	@%p0 cp.async.bulk.commit_group;
`},
		{rule: "multicast", says: "a copy is sent to rank 1 of a cluster of one", outside: memory, body: initialise + `	mov.u16 %h0, 2;
	@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 1024;
	@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [tile], [%rd0], 1024, [full], %h0;
`},
		{rule: "tensor-map", says: "the address of a buffer is given for a map", outside: memory, body: initialise +
			"\tmov.u32 %r1, 0;\n\t@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0, {%r1, %r1}], [full];\n"},
		{rule: "copy-size", says: "17 bytes are read for 16", outside: memory, body: "\tcp.async.cg.shared.global [tile], [%rd0], 16, 17;\n"},
		{rule: "wgmma", says: "two warps execute it", threads: 64, outside: memory, body: oneProduct},
		{rule: "setmaxnreg", says: "a decrease asks for more than there is", threads: 128, body: "\tsetmaxnreg.dec.sync.aligned.u32 248;\n\tsetmaxnreg.dec.sync.aligned.u32 256;\n"},
		{rule: "divergence", says: "half of the lanes are switched off at an instruction of the whole warp", threads: 128, body: `	mov.u32 %r0, %laneid;
	setp.lt.u32 %p0, %r0, 16;
	@%p0 wgmma.fence.sync.aligned;
`},
		{rule: "membermask", says: "lane 31 is not in the mask that it names", body: "\tmov.u32 %r0, %tid.x;\n\tredux.sync.add.u32 %r1, %r0, 0x7fffffff;\n"},
		{rule: "control", says: "an index of 3 into two targets", body: "\tmov.u32 %r0, 3;\nTARGETS: .branchtargets A, B;\n\tbrx.idx %r0, TARGETS;\nA:\nB:\n"},
		{rule: "call", says: "address 64 is called", body: "\tmov.u64 %rd1, 64;\n\t{\n\tprototype: .callprototype _ ();\n\tcall %rd1, (), prototype;\n\t}\n"},
		{rule: "trap", says: "it stops itself", body: "\ttrap;\n"},
		{rule: "assert", says: "`assert(x > 0)` with an x of 0",
			outside: ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);\n" +
				".global .align 1 .b8 message[6] = {120, 32, 62, 32, 48, 0};\n.global .align 1 .b8 name[5] = {97, 46, 99, 117, 0};",
			body: `	{
	.param .b64 m;
	.param .b64 f;
	.param .b32 l;
	.param .b64 n;
	.param .b64 c;
	mov.u64 %rd1, message;
	cvta.global.u64 %rd1, %rd1;
	st.param.b64 [m], %rd1;
	mov.u64 %rd2, name;
	cvta.global.u64 %rd2, %rd2;
	st.param.b64 [f], %rd2;
	st.param.b32 [l], 31;
	st.param.b64 [n], %rd2;
	st.param.b64 [c], 1;
	call __assertfail, (m, f, l, n, c);
	}
`},
		{rule: "printf", says: "a value is printed",
			outside: ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n.global .align 1 .b8 format[4] = {37, 100, 10, 0};",
			body: `	{
	.param .b64 f;
	.param .b64 v;
	.param .b32 r;
	mov.u64 %rd1, format;
	cvta.global.u64 %rd1, %rd1;
	st.param.b64 [f], %rd1;
	st.param.b64 [v], 0;
	call (r), vprintf, (f, v);
	ld.param.b32 %r1, [r];
	}
`},
	}
}
