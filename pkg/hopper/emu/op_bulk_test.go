package emu_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	bulkLoad  = "\tcp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd3], 1024, [%r2];\n"
	bulkStore = "\tcp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r1], 1024;\n"
)

// bulkProbe copies a to b through shared memory.
func bulkProbe() *copyProbe {
	return &copyProbe{a: numbered(1024), b: background(1024),
		body: one(initBar + expect(1024) + bulkLoad + waitBar + bulkStore + waitStores)}
}

func TestBulkCopy(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *copyProbe)
		want   func(p *copyProbe) []byte
	}{
		{"all of it", func(p *copyProbe) {}, func(p *copyProbe) []byte { return p.a }},
		{"to .shared::cta, with cache policies", func(p *copyProbe) {
			p.body = strings.Replace(p.body, bulkLoad, "\tcreatepolicy.fractional.L2::evict_first.b64 %rd5;\n"+
				"\tcp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r1], [%rd3], 1024, [%r2], %rd5;\n", 1)
			p.body = strings.Replace(p.body, bulkStore, "\tcp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%rd4], [%r1], 1024, %rd5;\n", 1)
		}, func(p *copyProbe) []byte { return p.a }},
		{"a part, with a size in a register", func(p *copyProbe) {
			p.body = strings.Replace(p.body, bulkStore, "\tmov.u32 %r4, 48;\n\tcp.async.bulk.global.shared::cta.bulk_group [%rd4+32], [%r1+16], %r4;\n", 1)
		}, func(p *copyProbe) []byte {
			want := background(1024)
			copy(want[32:80], p.a[16:])
			return want
		}},
		{"nothing", func(p *copyProbe) {
			p.body = strings.Replace(p.body, "[%r1], 1024", "[%r1], 0", 1)
		}, func(p *copyProbe) []byte { return p.b }},
		{"after a prefetch", func(p *copyProbe) {
			p.body = "\tcp.async.bulk.prefetch.L2.global [%rd3], 1024;\n" + p.body
		}, func(p *copyProbe) []byte { return p.a }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := bulkProbe()
			c.change(p)
			p.clean(t, c.want(p))
		})
	}
}

// TestBulkToPeer: CTA 0 loads a and copies it to CTA 1's shared memory, which
// stores it.
func TestBulkToPeer(t *testing.T) {
	body := "\t@!%p0 bra SYNC;\n" + initBar + expect(1024) + "SYNC:\n" +
		"\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n" +
		"\t@!%p0 bra END;\n\tsetp.ne.u32 %p2, %r3, 0;\n\t@%p2 bra PEER;\n" +
		bulkLoad + waitBar +
		"\tmapa.shared::cluster.u32 %r5, %r1, 1;\n\tmapa.shared::cluster.u32 %r6, %r2, 1;\n" +
		"\tcp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5], [%r1], 1024, [%r6];\n\tbra END;\n" +
		"PEER:\n" + strings.ReplaceAll(waitBar, "WAIT", "WAIT1") + bulkStore + waitStores +
		"END:\n\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n"
	p := &copyProbe{cluster: 2, a: numbered(1024), b: background(1024), body: body}
	p.clean(t, p.a)

	p.body = strings.Replace(body, "[%r1], 1024, [%r6]", "[%r1], 1024, [%r2]", 1)
	p.finding(t, "mbarrier", "the destination is in CTA rank 1 and the mbarrier in CTA rank 0")
	p.body = strings.Replace(body, "shared::cluster.global.mbarrier", "shared::cta.global.mbarrier", 1)
	p.body = strings.Replace(p.body, "[%r1], [%rd3]", "[%r6], [%rd3]", 1)
	p.body = strings.Replace(p.body, bulkLoad[:1]+"cp.async.bulk.shared::cta", "\tmapa.shared::cluster.u32 %r6, %r1, 1;\n\tcp.async.bulk.shared::cta", 1)
	p.finding(t, "out-of-bounds", "the destination is in CTA rank 1; .shared::cta is the executing CTA, rank 0")
	p.body = strings.ReplaceAll(body, "END:\n\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n", "END:\n")
	p.body = strings.Replace(p.body, "PEER:\n", "PEER:\n\tbra END;\n", 1)
	p.finding(t, "lifetime", "the copy writes the shared memory of CTA (1,0,0), which has exited")
}

// TestBulkMulticast brings a to both CTAs of a cluster with one instruction.
func TestBulkMulticast(t *testing.T) {
	body := "\t@!%p0 bra SYNC;\n" + initBar + expect(1024) + "SYNC:\n" +
		"\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n" +
		"\t@!%p0 bra END;\n\tsetp.ne.u32 %p2, %r3, 0;\n\t@%p2 bra WAIT;\n\tmov.u16 %h1, 3;\n" +
		"\tcp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd3], 1024, [%r2], %h1;\n" +
		waitBar + "\tmul.wide.u32 %rd5, %r3, 1024;\n\tadd.u64 %rd4, %rd4, %rd5;\n" + bulkStore + waitStores +
		"END:\n\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n"
	p := &copyProbe{cluster: 2, a: numbered(1024), b: background(2048), body: body}
	p.clean(t, append(append([]byte(nil), p.a...), p.a...))
}

// TestBulkReduce combines a with what b holds.
func TestBulkReduce(t *testing.T) {
	for _, c := range []struct {
		op    string
		a, b  uint64
		bytes int
		want  uint64
	}{
		{op: "add.u32", a: 7, b: 1<<32 - 2, bytes: 4, want: 5},
		{op: "min.s32", a: 1<<32 - 7, b: 3, bytes: 4, want: 1<<32 - 7},
		{op: "inc.u32", a: 7, b: 7, bytes: 4, want: 0},
		{op: "and.b64", a: 0xff00ff00ff00ff00, b: 0x0ff00ff00ff00ff0, bytes: 8, want: 0x0f000f000f000f00},
		{op: "add.noftz.f16", a: 0x3c00, b: 0x0001, bytes: 2, want: 0x3c00},
		{op: "max.bf16", a: 0x3f80, b: 0xbf80, bytes: 2, want: 0x3f80},
		{op: "add.f64", a: 0x3ff0000000000000, b: 0x3ff0000000000000, bytes: 8, want: 0x4000000000000000},
	} {
		t.Run(c.op, func(t *testing.T) {
			fill := func(v uint64) (out []byte) {
				for range 1024 / c.bytes {
					out = append(out, binary.LittleEndian.AppendUint64(nil, v)[:c.bytes]...)
				}
				return out
			}
			p := bulkProbe()
			p.a, p.b = fill(c.a), fill(c.b)
			p.body = strings.Replace(p.body, bulkStore, "\tcp.reduce.async.bulk.global.shared::cta.bulk_group."+c.op+" [%rd4], [%r1], 1024;\n", 1)
			p.clean(t, fill(c.want))
		})
	}
}

// TestBulkReduceShared adds one half of the buffer to the other.
func TestBulkReduceShared(t *testing.T) {
	p := bulkProbe()
	for i := range p.a {
		p.a[i] = 0
		if i%4 == 0 {
			p.a[i] = byte(i / 4)
		}
	}
	again := "\tmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 512;\n" +
		"\tadd.u32 %r5, %r1, 512;\n\tcp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r1], [%r5], 512, [%r2];\n" +
		"AGAIN:\n\tmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 1;\n\t@!%p1 bra AGAIN;\n"
	p.body = strings.Replace(p.body, waitBar, waitBar+again, 1)
	want := append([]byte(nil), p.a...)
	for i := 0; i < 512; i += 4 {
		binary.LittleEndian.PutUint32(want[i:], binary.LittleEndian.Uint32(p.a[i:])+binary.LittleEndian.Uint32(p.a[512+i:]))
	}
	p.clean(t, want)
}

func TestBulkFindings(t *testing.T) {
	for _, c := range []struct{ name, old, new, rule, message string }{
		{"size", "[%rd3], 1024", "[%rd3], %r7", "misaligned", "a bulk copy of 1000 bytes, which is not a multiple of 16"},
		{"source", "[%rd3], 1024", "[%rd3+8], 1024", "misaligned", "the source of the copy is at global address"},
		{"destination", "[%r1], [%rd3]", "[%r1+8], [%rd3]", "misaligned", "the destination of the copy is at shared+0x408, which is not a multiple of 16"},
		{"global destination", "[%rd4], [%r1]", "[%rd4+4], [%r1]", "misaligned", "the destination of the copy is at global address"},
		{"reads past the allocation", "[%rd3], 1024", "[%rd3+16], 1024", "out-of-bounds", "reads "},
		{"writes past the allocation", "[%rd4], [%r1]", "[%rd4+16], [%r1]", "out-of-bounds", "writes "},
		{"stores what was never written", "[%rd4], [%r1]", "[%rd4], [%r1+16]", "uninitialized", "reads "},
		{"no mbarrier", "\tmbarrier.init.shared::cta.b64 [%r2], 1;\n", "", "mbarrier", "no mbarrier was initialised at bar at shared+0x2400"},
		{"CTA that has no wait", "\tcp.async.bulk.wait_group 0;\n", "\tcp.async.bulk.wait_group 1;\n", "lifetime", "the CTA exits "},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := bulkProbe()
			p.body = strings.Replace(p.body, "\t@!%p0 bra END;\n", "\t@!%p0 bra END;\n\tadd.u32 %r7, %r0, 1000;\n", 1)
			require.Contains(t, p.body, c.old)
			p.body = strings.Replace(p.body, c.old, c.new, 1)
			p.finding(t, c.rule, c.message)
		})
	}
}

// TestBulkWaitRead: a wait with .read is enough before the source is used
// again, and before the CTA exits.
func TestBulkWaitRead(t *testing.T) {
	overwrite := "\tmov.u32 %r5, 0;\n\tst.shared.u32 [%r1], %r5;\n\tst.shared.u32 [%r1+1020], %r5;\n"
	p := bulkProbe()
	p.body = strings.Replace(p.body, "wait_group 0;\n", "wait_group.read 0;\n"+overwrite, 1)
	p.clean(t, p.a)
}

// TestBulkHostile: a kernel without a wait must go wrong under most seeds.
func TestBulkHostile(t *testing.T) {
	for _, c := range []struct{ name, old, new string }{
		{"source used again before the reads", "\tcp.async.bulk.commit_group;\n", "\tmov.u32 %r5, 0;\n\tst.shared.u32 [%r1], %r5;\n\tcp.async.bulk.commit_group;\n"},
		{"read before the load has landed", waitBar, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := bulkProbe()
			p.body = strings.Replace(p.body, c.old, c.new, 1)
			right := 0
			for seed := range int64(100) {
				if _, b, found := p.run(t, seed); string(b) == string(p.a) && len(found) == 0 {
					right++
				}
			}
			require.Less(t, right, 50)
		})
	}
}

// TestBulkGroups: wait_group N leaves the newest N groups alone, and groups
// are a thread's own.
func TestBulkGroups(t *testing.T) {
	// Threads 0 and 1 each store half of the buffer, thread 0 in two groups.
	body := "\t@!%p0 bra SYNC;\n" + initBar + expect(1024) + bulkLoad + waitBar + "SYNC:\n\tbar.sync 0;\n" +
		"\tsetp.gt.u32 %p2, %r0, 1;\n\t@%p2 bra END;\n\tmul.lo.u32 %r4, %r0, 512;\n\tadd.u32 %r4, %r4, %r1;\n\tmul.wide.u32 %rd5, %r0, 512;\n\tadd.u64 %rd5, %rd5, %rd4;\n" +
		"\tcp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r4], 256;\n\tcp.async.bulk.commit_group;\n" +
		"\tcp.async.bulk.global.shared::cta.bulk_group [%rd5+256], [%r4+256], 256;\n\tcp.async.bulk.commit_group;\n" +
		"\tcp.async.bulk.wait_group.read 1;\n\tmov.u32 %r5, 0;\n\tst.shared.u32 [%r4], %r5;\n\tcp.async.bulk.wait_group.read 0;\n\tst.shared.u32 [%r4+256], %r5;\nEND:\n"
	p := &copyProbe{a: numbered(1024), b: background(1024), body: body}
	p.clean(t, p.a)
}
