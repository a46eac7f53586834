package sanitize_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/sanitize"
	"gohopper/pkg/hopper/sanitize/check"
)

// entry wraps a body as a kernel with a pointer in %rd0 to 4 KB of global
// memory, 4 KB of shared memory at the address in %r31, the thread's number in
// %r0 and, in %r1, the address of its own four bytes.
func entry(body string) string {
	return `.version 8.6
.target sm_90a
.address_size 64
.shared .align 128 .b8 tile[4096];
.visible .entry k(.param .u64 p)
{
	.reg .pred %p<8>;
	.reg .b16 %h<4>;
	.reg .b32 %r<32>;
	.reg .b64 %rd<16>;
	ld.param.u64 %rd0, [p];
	mov.u32 %r31, tile;
	mov.u32 %r0, %tid.x;
	mad.lo.u32 %r1, %r0, 4, %r31;
	setp.eq.u32 %p0, %r0, 0;
` + body + `
	ret;
}
`
}

// textPair is two PTX texts that differ in one thing: the wrong one breaks the
// rule under every schedule.
type textPair struct {
	why          string
	threads      int
	right, wrong string
	rule         string
}

func textPairs() []textPair {
	return []textPair{
		{"a barrier orders the lanes of a warp; a shuffle does not", 32, `
	st.shared.u32 [%r1], %r0;
	bar.warp.sync -1;
	xor.b32 %r2, %r1, 4;
	ld.shared.u32 %r3, [%r2];`, `
	st.shared.u32 [%r1], %r0;
	shfl.sync.idx.b32 %r4, %r0, 0, 31, -1;
	xor.b32 %r2, %r1, 4;
	ld.shared.u32 %r3, [%r2];`, sanitize.Race},

		{"a lane needs no barrier for its own bytes", 32, `
	st.shared.u32 [%r1], %r0;
	ld.shared.u32 %r3, [%r1];`, `
	st.shared.u32 [%r1], %r0;
	ld.shared.u32 %r3, [%r31];`, sanitize.Race},

		{"half a granule is not the other half", 64, `
	st.shared.u16 [%r1], 1;
	ld.shared.u16 %r3, [%r1];`, `
	st.shared.u16 [%r1], 1;
	xor.b32 %r2, %r1, 128;
	st.shared.u8 [%r2+1], 1;`, sanitize.Race},

		{"a release and an acquire of a flag order what lies around them", 64, `
	setp.lt.u32 %p1, %r0, 32;
	@!%p0 bra READ;
	st.shared.u32 [%r31+1024], 7;
	st.release.cta.shared.u32 [%r31+2048], 1;
READ:
	@%p1 bra DONE;
WAIT:
	ld.acquire.cta.shared.u32 %r3, [%r31+2048];
	setp.ne.u32 %p2, %r3, 1;
	@%p2 bra WAIT;
	ld.shared.u32 %r4, [%r31+1024];
DONE:`, `
	setp.lt.u32 %p1, %r0, 32;
	@!%p0 bra READ;
	st.shared.u32 [%r31+1024], 7;
	st.relaxed.cta.shared.u32 [%r31+2048], 1;
READ:
	@%p1 bra DONE;
WAIT:
	ld.relaxed.cta.shared.u32 %r3, [%r31+2048];
	setp.ne.u32 %p2, %r3, 1;
	@%p2 bra WAIT;
	ld.shared.u32 %r4, [%r31+1024];
DONE:`, sanitize.Race},

		{"bar.arrive passes on what its warp did; it learns nothing", 64, `
	setp.lt.u32 %p1, %r0, 32;
	@!%p1 bra READ;
	st.shared.u32 [%r1], 7;
	bar.arrive 1, 64;
	bra DONE;
READ:
	bar.sync 1, 64;
	ld.shared.u32 %r4, [%r31+64];
DONE:`, `
	setp.lt.u32 %p1, %r0, 32;
	@!%p1 bra READ;
	bar.arrive 1, 64;
	ld.shared.u32 %r4, [%r31+64];
	bra DONE;
READ:
	st.shared.u32 [%r31+64], 7;
	bar.sync 1, 64;
DONE:`, sanitize.Race},

		{"cp.async.wait_group covers the copies of its own thread", 64, `
	mad.wide.u32 %rd1, %r0, 4, %rd0;
	cp.async.ca.shared.global [%r1], [%rd1], 4;
	cp.async.commit_group;
	cp.async.wait_group 0;
	bar.sync 0;
	ld.shared.u32 %r4, [%r31+128];`, `
	mad.wide.u32 %rd1, %r0, 4, %rd0;
	cp.async.ca.shared.global [%r1], [%rd1], 4;
	cp.async.commit_group;
	bar.sync 0;
	cp.async.wait_group 0;
	ld.shared.u32 %r4, [%r31+128];`, sanitize.WaitThread},

		{"a copy of the thread itself must be waited for too", 32, `
	mad.wide.u32 %rd1, %r0, 4, %rd0;
	cp.async.ca.shared.global [%r1], [%rd1], 4;
	cp.async.wait_all;
	ld.shared.u32 %r4, [%r1];`, `
	mad.wide.u32 %rd1, %r0, 4, %rd0;
	cp.async.ca.shared.global [%r1], [%rd1], 4;
	ld.shared.u32 %r4, [%r1];`, sanitize.MissingWait},

		{"global memory that a bulk store writes is there after the whole wait, in who passes a barrier", 64, `
	st.shared.u32 [%r1], %r0;
	fence.proxy.async.shared::cta;
	bar.sync 0;
	@!%p0 bra MEET;
	cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r31], 256;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 0;
MEET:
	bar.sync 0;
	mad.wide.u32 %rd1, %r0, 4, %rd0;
	ld.global.u32 %r4, [%rd1];`, `
	st.shared.u32 [%r1], %r0;
	fence.proxy.async.shared::cta;
	bar.sync 0;
	@!%p0 bra MEET;
	cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r31], 256;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group.read 0;
MEET:
	bar.sync 0;
	mad.wide.u32 %rd1, %r0, 4, %rd0;
	ld.global.u32 %r4, [%rd1];`, sanitize.MissingWait},

		{"a proxy fence for global memory does not order shared memory", 32, `
	st.shared.u32 [%r1], %r0;
	fence.proxy.async;
	bar.warp.sync -1;
	@!%p0 bra DONE;
	cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r31], 128;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group.read 0;
DONE:`, `
	st.shared.u32 [%r1], %r0;
	fence.proxy.async.global;
	bar.warp.sync -1;
	@!%p0 bra DONE;
	cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r31], 128;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group.read 0;
DONE:`, sanitize.ProxyFence},

		{"an mbarrier that every thread arrives at orders all of them", 64, `
	@%p0 mbarrier.init.shared::cta.b64 [%r31+2048], 64;
	bar.sync 0;
	st.shared.u32 [%r1], %r0;
	mbarrier.arrive.shared::cta.b64 %rd1, [%r31+2048];
WAIT:
	mbarrier.try_wait.shared::cta.b64 %p1, [%r31+2048], %rd1;
	@!%p1 bra WAIT;
	ld.shared.u32 %r4, [%r31+128];`, `
	@%p0 mbarrier.init.shared::cta.b64 [%r31+2048], 64;
	bar.sync 0;
	st.shared.u32 [%r1], %r0;
	mbarrier.arrive.relaxed.cta.shared::cta.b64 %rd1, [%r31+2048];
WAIT:
	mbarrier.try_wait.shared::cta.b64 %p1, [%r31+2048], %rd1;
	@!%p1 bra WAIT;
	ld.shared.u32 %r4, [%r31+128];`, sanitize.Race},
	}
}

func TestTexts(t *testing.T) {
	for _, c := range textPairs() {
		t.Run(c.why, func(t *testing.T) {
			kernel := func(body string) check.Kernel {
				return check.Kernel{
					Text: entry(body), Entry: "k", Launch: device.Launch{Grid: [3]int{1, 1, 1}, Block: [3]int{c.threads, 1, 1}},
					Args: func(d device.Device) ([]device.Arg, error) {
						p, err := d.Alloc(4096)
						if err != nil {
							return nil, err
						}
						return []device.Arg{device.Pointer(p)}, d.Fill(p, 1, 4096)
					},
				}
			}
			for seed := range int64(schedules) {
				found, err := kernel(c.right).Run(seed)
				require.NoError(t, err)
				require.Empty(t, sanitized(found), "seed %d: the right form is accused: %v", seed, found)
				found, err = kernel(c.wrong).Run(seed)
				require.NoError(t, err)
				require.True(t, slices.ContainsFunc(found, func(f event.Finding) bool { return f.Rule == c.rule }),
					"seed %d: no %s among %v", seed, c.rule, found)
			}
		})
	}
}

// sanitized is the findings of the sanitizer: the machine's own are about
// memory that these texts do not care to fill.
func sanitized(found []event.Finding) []event.Finding {
	return slices.DeleteFunc(found, func(f event.Finding) bool { return f.Page == "" })
}
