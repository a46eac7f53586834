package emu_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// asyncProbe: each of 32 threads copies 16 bytes of a by cp.async, and after
// the wait stores the 16 bytes of its right neighbour to b.
func asyncProbe(copies, wait string) *copyProbe {
	return &copyProbe{a: numbered(512), b: background(512), body: "" +
		"\tshl.b32 %r4, %r0, 4;\n\tadd.u32 %r5, %r1, %r4;\n\tcvt.u64.u32 %rd5, %r4;\n\tadd.u64 %rd6, %rd3, %rd5;\n" +
		copies + wait + "\tbar.sync 0;\n" +
		"\tadd.u32 %r6, %r4, 16;\n\tand.b32 %r6, %r6, 511;\n\tadd.u32 %r6, %r6, %r1;\n\tadd.u64 %rd7, %rd4, %rd5;\n" +
		"\tld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r6];\n\tst.global.v4.u32 [%rd7], {%r8, %r9, %r10, %r11};\n"}
}

func rotated(b []byte) []byte { return append(append([]byte(nil), b[16:]...), b[:16]...) }

const (
	copy16   = "\tcp.async.cg.shared.global [%r5], [%rd6], 16;\n"
	waitAll  = "\tcp.async.wait_all;\n"
	waitNone = "\tcp.async.commit_group;\n\tcp.async.wait_group 0;\n"
)

func TestCopyAsync(t *testing.T) {
	for _, c := range []struct {
		name, copies, wait string
		want               func(a []byte)
	}{
		{"16 bytes, wait_all", copy16, waitAll, func(a []byte) {}},
		{"16 bytes, wait_group", copy16, waitNone, func(a []byte) {}},
		{"4, 4 and 8 bytes", "\tcp.async.ca.shared.global [%r5], [%rd6], 4;\n\tcp.async.ca.shared::cta.global.L2::128B [%r5+4], [%rd6+4], 4;\n\tcp.async.ca.shared.global [%r5+8], [%rd6+8], 8;\n",
			waitAll, func(a []byte) {}},
		{"the first 5 bytes, then zeros", "\tcp.async.cg.shared.global [%r5], [%rd6], 16, 5;\n", waitAll, func(a []byte) {
			for i := range a {
				if i%16 >= 5 {
					a[i] = 0
				}
			}
		}},
		{"no byte of thread 3 by src-size", "\tsetp.eq.u32 %p2, %r0, 3;\n\tselp.b32 %r7, 0, 16, %p2;\n\tcp.async.cg.shared.global [%r5], [%rd6], 16, %r7;\n", waitAll,
			func(a []byte) { clear(a[48:64]) }},
		{"no byte of thread 3 by ignore-src", "\tsetp.eq.u32 %p2, %r0, 3;\n\tcp.async.cg.shared.global [%r5], [%rd6], 16, %p2;\n", waitAll,
			func(a []byte) { clear(a[48:64]) }},
		{"only thread 3 by a negated ignore-src", "\tsetp.eq.u32 %p2, %r0, 3;\n\tcp.async.cg.shared.global [%r5], [%rd6], 16, !%p2;\n", waitAll,
			func(a []byte) { clear(a[:48]); clear(a[64:]) }},
		{"an mbarrier of 32 arrivals, .noinc", "\tmbarrier.init.shared::cta.b64 [%r2], 32;\n" + copy16,
			"\tcp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r2];\n" + waitBar, func(a []byte) {}},
		{"an mbarrier that counts the copies itself", "\tmbarrier.init.shared::cta.b64 [%r2], 32;\n" + copy16,
			"\tcp.async.mbarrier.arrive.shared.b64 [%r2];\n\tmbarrier.arrive.shared::cta.b64 _, [%r2];\n" + waitBar, func(a []byte) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := asyncProbe(c.copies, c.wait)
			if strings.Contains(p.body, "mbarrier.init") {
				p.body = strings.Replace(p.body, "\tmbarrier.init", "\t@%p0 mbarrier.init", 1)
				p.body = strings.Replace(p.body, copy16, "\tbar.sync 0;\n"+copy16, 1)
			}
			want := append([]byte(nil), p.a...)
			c.want(want)
			p.clean(t, rotated(want))
		})
	}
}

// TestCopyAsyncGroups: wait_group 1 waits for the older of two groups only.
func TestCopyAsyncGroups(t *testing.T) {
	second := "\tcp.async.commit_group;\n\tcp.async.cg.shared.global [%r5+1024], [%rd6], 16;\n\tcp.async.commit_group;\n"
	p := asyncProbe(copy16+second, "\tcp.async.wait_group 1;\n")
	p.clean(t, rotated(p.a))

	// The newer group may be late: reading it must go wrong under some seed.
	p.body = strings.Replace(p.body, "ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r6]", "ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r6+1024]", 1)
	late := 0
	for seed := range int64(40) {
		if _, _, found := p.run(t, seed); len(found) > 0 {
			require.Equal(t, "uninitialized", found[0].Rule)
			late++
		}
	}
	require.Greater(t, late, 10)
	require.Less(t, late, 40)
}

func TestCopyAsyncFindings(t *testing.T) {
	for _, c := range []struct{ name, copies, rule, message string }{
		{"destination", "\tcp.async.cg.shared.global [%r5+4], [%rd6], 16;\n", "misaligned", "writes 16 bytes at shared+0x"},
		{"source", "\tcp.async.cg.shared.global [%r5], [%rd6+4], 16;\n", "misaligned", "reads 16 bytes at global address"},
		{"src-size", "\tcp.async.cg.shared.global [%r5], [%rd6], 16, 17;\n", "copy-size", "src-size is 17, more than the 16 bytes that the copy writes"},
		{"past the end", "\tcp.async.cg.shared.global [%r5], [%rd6+16], 16;\n", "out-of-bounds", "reads 16 bytes at global address"},
	} {
		t.Run(c.name, func(t *testing.T) { asyncProbe(c.copies, waitAll).finding(t, c.rule, c.message) })
	}
}
