package sanitize_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/sanitize"
	"gohopper/pkg/hopper/sanitize/check"
)

// own is code that leaves in %rd1 the address of four bytes of the thread's own
// in the grid, and in %r2 the number of its CTA.
const own = `
	mov.u32 %r2, %ctaid.x;
	mad.lo.u32 %r3, %r2, 32, %r0;
	mad.wide.u32 %rd1, %r3, 4, %rd0;
`

// handOver lets CTA 0 write and the others read, with a flag between that is
// set and asked for by these instructions.
func handOver(set, ask string) string {
	return own + `
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra READ;
	st.global.u32 [%rd1], 7;
	bar.sync 0;
	@!%p0 bra DONE;
	` + set + `
	bra DONE;
READ:
	` + ask + `
	setp.ne.u32 %p2, %r4, 9;
	@%p2 bra READ;
	mad.wide.u32 %rd2, %r0, 4, %rd0;
	ld.global.u32 %r5, [%rd2];
DONE:`
}

// encounter is what three CTAs of a launch do to the same bytes of global
// memory.
type encounter struct {
	why, body string
	at, other string // instructions of the race; "" for none
}

func encounters() []encounter {
	return []encounter{
		{"each its own word", own + "st.global.u32 [%rd1], %r2;", "", ""},
		{"each its own half of a word", own + "mad.wide.u32 %rd1, %r2, 2, %rd0; st.global.u16 [%rd1], 1;", "", ""},
		{"all read the same word, and each writes another", own + "ld.global.u32 %r4, [%rd0+2048]; st.global.u32 [%rd1], %r4;", "", ""},
		{"each reads what it wrote itself", own + "st.global.u32 [%rd1], %r2; ld.global.u32 %r4, [%rd1];", "", ""},
		{"all write the same value", own + "st.global.u32 [%rd0], 5;", "", ""},
		{"all add to one word", own + "red.global.add.u32 [%rd0], 1;", "", ""},
		{"a flag with release and acquire", handOver("st.release.gpu.global.u32 [%rd0+2048], 9;", "ld.acquire.gpu.global.u32 %r4, [%rd0+2048];"), "", ""},
		{"a flag with fences", handOver("fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%rd0+2048], 9;", "ld.relaxed.gpu.global.u32 %r4, [%rd0+2048]; fence.acq_rel.gpu;"), "", ""},
		{"a flag with the fences of old code", handOver("membar.gl; st.volatile.global.u32 [%rd0+2048], 9;", "ld.volatile.global.u32 %r4, [%rd0+2048];"), "", ""},
		{"a flag of a plain store, as old code has it", handOver("membar.gl; st.global.u32 [%rd0+2048], 9;", "ld.volatile.global.u32 %r4, [%rd0+2048];"), "", ""},
		{"all add to one tile", own + `
	st.shared.u32 [%r1], %r0;
	fence.proxy.async.shared::cta;
	bar.warp.sync -1;
	@!%p0 bra DONE;
	cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r31], 128;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 0;
DONE:`, "", ""},

		{"all write their own value", own + "st.global.u32 [%rd0], %r2;", "st.global.u32 [%rd0], %r2", "st.global.u32 [%rd0], %r2"},
		{"words that overlap by half", own + "mad.wide.u32 %rd1, %r2, 8, %rd0; @%p0 st.global.v4.u16 [%rd1], {%h0, %h0, %h0, %h0}; @%p0 st.global.u16 [%rd1+8], 3;", "st.global.v4.u16", "st.global.u16"},
		{"one reads its neighbour's", own + "st.global.u32 [%rd1], %r2; ld.global.u32 %r4, [%rd0+128];", "ld.global.u32", "st.global.u32"},
		{"a flag that releases nothing", handOver("st.relaxed.gpu.global.u32 [%rd0+2048], 9;", "ld.relaxed.gpu.global.u32 %r4, [%rd0+2048];"), "ld.global.u32 %r5", "st.global.u32 [%rd1], 7"},
		{"a bulk load of what another writes", `
	mov.u32 %r2, %ctaid.x;
	setp.ne.u32 %p1, %r2, 0;
	@!%p1 bra WRITE;
	@!%p0 bra DONE;
	mbarrier.init.shared::cta.b64 [%r31+2048], 1;
	fence.mbarrier_init.release.cluster;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r31+2048], 128;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r31], [%rd0], 128, [%r31+2048];
WAIT:
	mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r31+2048], 0;
	@!%p2 bra WAIT;
	bra DONE;
WRITE:
	mad.wide.u32 %rd1, %r0, 4, %rd0;
	st.global.u32 [%rd1], 3;
DONE:`, "cp.async.bulk.shared::cluster", "st.global.u32"},
		{"a bulk store into what another reads", own + `
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra READ;
	st.shared.u32 [%r1], %r0;
	fence.proxy.async.shared::cta;
	bar.warp.sync -1;
	@!%p0 bra DONE;
	cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r31], 128;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 0;
	bra DONE;
READ:
	ld.global.u32 %r4, [%rd0+64];
DONE:`, "ld.global.u32", "cp.async.bulk.global"},
	}
}

// TestBetween: races between CTAs are found, and nothing else is.
func TestBetween(t *testing.T) {
	for _, c := range encounters() {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			kernel := check.Kernel{
				Text: entry(c.body), Entry: "k", Workers: 1, Launch: device.Launch{Grid: [3]int{3, 1, 1}, Block: [3]int{32, 1, 1}},
				Args: func(d device.Device) ([]device.Arg, error) {
					p, err := d.Alloc(4096)
					if err != nil {
						return nil, err
					}
					return []device.Arg{device.Pointer(p)}, d.Fill(p, 0, 4096)
				},
			}
			var first event.Finding
			for seed := range int64(schedules) {
				found, err := kernel.Run(seed)
				require.NoError(t, err)
				found = slices.DeleteFunc(sanitized(found), func(f event.Finding) bool { return f.Rule != sanitize.Race })
				if c.at == "" {
					require.Empty(t, found, "seed %d", seed)
					continue
				}
				require.Len(t, found, 1, "seed %d", seed)
				f := found[0]
				require.Contains(t, f.At.Text, c.at)
				require.Contains(t, f.Other[0].Text, c.other)
				require.NotEqual(t, f.At.CTA, f.Other[0].CTA)
				if seed == 0 {
					first = f
				}
				require.Equal(t, first, f, "seed %d: the schedule must not matter", seed)
			}
		})
	}
}

// TestWithin: what warps do to the same bytes of global memory in one CTA and,
// from two CTAs, in one cluster.
func TestWithin(t *testing.T) {
	const barrier = "bar.sync 0;"
	const cluster = "barrier.cluster.arrive; barrier.cluster.wait;"
	for _, c := range []struct {
		why         string
		ctas        int // a cluster of them
		body        func(between string) string
		between     string // that orders the two
		isNone      string // and that does not
		at, another string
	}{
		{"a read of what another warp wrote", 1, func(b string) string {
			return own + "mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r0;" + b + "xor.b32 %r4, %r0, 32; mad.wide.u32 %rd2, %r4, 4, %rd0; ld.global.u32 %r5, [%rd2];"
		}, barrier, "bar.warp.sync -1;", "ld.global", "st.global"},
		{"a write over what another warp reads", 1, func(b string) string {
			return own + "mad.wide.u32 %rd1, %r0, 4, %rd0; ld.global.u32 %r5, [%rd1];" + b + "xor.b32 %r4, %r0, 32; mad.wide.u32 %rd2, %r4, 4, %rd0; st.global.u32 [%rd2], %r0;"
		}, barrier, "", "st.global", "ld.global"},
		{"a half of a word that another warp read, and not the other half", 1, func(b string) string {
			return own + "mad.wide.u32 %rd1, %r0, 4, %rd0; ld.global.u16 %h0, [%rd1];" + b + "xor.b32 %r4, %r0, 32; mad.wide.u32 %rd2, %r4, 4, %rd0; st.global.u16 [%rd2], %h1; st.global.u16 [%rd2+2], %h1;"
		}, barrier, "", "st.global", "ld.global"},
		{"two warps that write different values", 1, func(b string) string {
			return own + "shr.u32 %r4, %r0, 5; @%p0 st.global.u32 [%rd0], 5;" + b + "setp.eq.u32 %p1, %r0, 32; @%p1 st.global.u32 [%rd0], 6;"
		}, barrier, "", "st.global", "st.global"},
		{"a read of what another CTA wrote", 2, func(b string) string {
			return own + "st.global.u32 [%rd1], %r0;" + b + "xor.b32 %r4, %r3, 32; mad.wide.u32 %rd2, %r4, 4, %rd0; ld.global.u32 %r5, [%rd2];"
		}, cluster, barrier, "ld.global", "st.global"},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			kernel := func(between string) check.Kernel {
				return check.Kernel{
					Text: entry(c.body(between)), Entry: "k",
					Launch: device.Launch{Grid: [3]int{c.ctas, 1, 1}, Cluster: [3]int{c.ctas, 1, 1}, Block: [3]int{64 / c.ctas, 1, 1}},
					Args: func(d device.Device) ([]device.Arg, error) {
						p, err := d.Alloc(4096)
						if err != nil {
							return nil, err
						}
						return []device.Arg{device.Pointer(p)}, d.Fill(p, 0, 4096)
					},
				}
			}
			for seed := range int64(schedules) {
				found, err := kernel(c.between).Run(seed)
				require.NoError(t, err)
				require.Empty(t, sanitized(found), "seed %d: ordered", seed)
				found, err = kernel(c.isNone).Run(seed)
				require.NoError(t, err)
				require.True(t, slices.ContainsFunc(found, func(f event.Finding) bool {
					text := []string{f.At.Text, f.Other[0].Text}
					return f.Rule == sanitize.Race && (strings.Contains(text[0], c.at) && strings.Contains(text[1], c.another) || strings.Contains(text[1], c.at) && strings.Contains(text[0], c.another))
				}), "seed %d: %v", seed, found)
			}
		})
	}
}
