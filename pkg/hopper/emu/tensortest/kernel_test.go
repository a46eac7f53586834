package tensortest

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper/emu/tensor"
)

// instruction is one form of a tensor core instruction.
type instruction struct {
	async   bool // wgmma.mma_async; else mma.sync
	n, k    int
	d, a, b format
	model   model
	way     way
}

// way is how A reaches wgmma.
type way string

const (
	shared    way = ""          // in shared memory
	registers way = "registers" // in registers
	negated   way = "negated"   // in shared memory, and the instruction turns its sign
)

// rows of A and D.
func (in instruction) rows() int {
	if in.async {
		return 64
	}
	return 16
}

// outputs of one execution.
func (in instruction) outputs() int { return in.rows() * in.n }

func (in instruction) String() string {
	if in.async {
		name := fmt.Sprintf("wgmma.mma_async.m64n%dk%d.%s.%s.%s", in.n, in.k, in.d.name, in.a.name, in.b.name)
		if in.way != shared {
			name += " A " + string(in.way)
		}
		return name
	}
	return fmt.Sprintf("mma.sync.m16n%dk%d.%s.%s.%s.%s", in.n, in.k, in.d.name, in.a.name, in.b.name, in.d.name)
}

// key names the instruction in a file of figures.
func (in instruction) key() string {
	if in.async {
		name := fmt.Sprintf("wgmma.m64n%dk%d.%s.%s.%s", in.n, in.k, in.d.name, in.a.name, in.b.name)
		if in.way != shared {
			name += ".A-" + string(in.way)
		}
		return name
	}
	return fmt.Sprintf("mma.m16n%dk%d.%s.%s.%s", in.n, in.k, in.d.name, in.a.name, in.b.name)
}

// arithmetic is the instruction in the emulator's terms.
func (in instruction) arithmetic() tensor.Product {
	return tensor.Product{Left: in.a.t, Right: in.b.t, Result: in.d.t, Warp: !in.async}
}

// registersD is how many registers of a thread hold D.
func (in instruction) registersD() int { return in.outputs() * in.d.t.Bytes() / 4 / in.threads() }

func (in instruction) threads() int {
	if in.async {
		return 128
	}
	return 32
}

// bytesA and bytesB are what one execution reads.
func (in instruction) bytesA() int { return in.rows() * in.k * in.a.t.Bytes() }
func (in instruction) bytesB() int { return in.n * in.k * in.b.t.Bytes() }

func (in instruction) registers(prefix string, n int) string {
	s := make([]string, n)
	for i := range s {
		s[i] = fmt.Sprintf("%%%s%d", prefix, i)
	}
	return "{" + strings.Join(s, ", ") + "}"
}

// text is a module with the entry "probe", whose CTA i executes the
// instruction once, on the i-th A, B, C and D of four arrays. C and D lie there
// thread by thread; so do operands that are taken from registers. The others lie as in shared
// memory.
func (in instruction) text() string {
	var s strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&s, format, args...) }
	put(`.version 8.4
.target sm_90a
.address_size 64

.visible .entry probe(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)
{
	.reg .b32 %%r<16>;
	.reg .b32 %%a<8>;
	.reg .b32 %%b<8>;
	.reg .b32 %%d<%d>;
	.reg .b64 %%x<16>;
	.reg .pred %%p<4>;
`, max(in.registersD(), 1))
	if in.async {
		put("\t.shared .align 1024 .b8 tile[%d];\n", in.bytesA()+in.bytesB())
	}
	put(`	ld.param.u64 %%x0, [pa];
	ld.param.u64 %%x1, [pb];
	ld.param.u64 %%x2, [pc];
	ld.param.u64 %%x3, [pd];
	cvta.to.global.u64 %%x0, %%x0;
	cvta.to.global.u64 %%x1, %%x1;
	cvta.to.global.u64 %%x2, %%x2;
	cvta.to.global.u64 %%x3, %%x3;
	mov.u32 %%r0, %%tid.x;
	mov.u32 %%r1, %%ctaid.x;
	mul.wide.u32 %%x4, %%r1, %d;
	add.u64 %%x0, %%x0, %%x4;
	mul.wide.u32 %%x4, %%r1, %d;
	add.u64 %%x1, %%x1, %%x4;
	mad.lo.u32 %%r2, %%r1, %d, %%r0;
	mul.wide.u32 %%x4, %%r2, %d;
	add.u64 %%x2, %%x2, %%x4;
	add.u64 %%x3, %%x3, %%x4;
`, in.bytesA(), in.bytesB(), in.threads(), 4*in.registersD())
	for i := range in.registersD() {
		put("\tld.global.b32 %%d%d, [%%x2+%d];\n", i, 4*i)
	}
	if in.async {
		in.asyncBody(put)
	} else {
		in.syncBody(put)
	}
	for i := range in.registersD() {
		put("\tst.global.b32 [%%x3+%d], %%d%d;\n", 4*i, i)
	}
	put("\tret;\n}\n")
	return s.String()
}

func (in instruction) syncBody(put func(string, ...any)) {
	ra, rb := in.bytesA()/32/4, in.bytesB()/32/4
	put("\tmul.wide.u32 %%x4, %%r0, %d;\n\tadd.u64 %%x0, %%x0, %%x4;\n", 4*ra)
	put("\tmul.wide.u32 %%x4, %%r0, %d;\n\tadd.u64 %%x1, %%x1, %%x4;\n", 4*rb)
	for i := range ra {
		put("\tld.global.b32 %%a%d, [%%x0+%d];\n", i, 4*i)
	}
	for i := range rb {
		put("\tld.global.b32 %%b%d, [%%x1+%d];\n", i, 4*i)
	}
	d := in.registers("d", in.registersD())
	put("\tmma.sync.aligned.m16n8k%d.row.col.%s.%s.%s.%s %s, %s, %s, %s;\n", in.k, in.d.name, in.a.name, in.b.name, in.d.name,
		d, in.registers("a", ra), in.registers("b", rb), d)
}

func (in instruction) asyncBody(put func(string, ...any)) {
	put("\tmov.u32 %%r3, tile;\n")
	copyIn := func(label, base string, bytes, offset int) {
		put(`	shl.b32 %%r4, %%r0, 4;
%s:
	setp.ge.u32 %%p0, %%r4, %d;
	@%%p0 bra %s_END;
	cvt.u64.u32 %%x4, %%r4;
	add.u64 %%x4, %%x4, %s;
	ld.global.v4.b32 {%%r8, %%r9, %%r10, %%r11}, [%%x4];
	add.u32 %%r5, %%r3, %%r4;
	st.shared.v4.b32 [%%r5+%d], {%%r8, %%r9, %%r10, %%r11};
	add.u32 %%r4, %%r4, 2048;
	bra %s;
%s_END:
`, label, bytes, label, base, offset, label, label)
	}
	a, scale, transposed := "%x5", 1, ", 0, 0"
	if in.way == registers {
		put("\tmul.wide.u32 %%x4, %%r0, 16;\n\tadd.u64 %%x0, %%x0, %%x4;\n")
		put("\tld.global.v4.b32 {%%a0, %%a1, %%a2, %%a3}, [%%x0];\n")
		a, transposed = in.registers("a", 4), ", 0"
	} else {
		copyIn("COPY_A", "%x0", in.bytesA(), 0)
	}
	if in.way == negated {
		scale = -1
	}
	if in.a.t.Bytes() != 2 {
		transposed = ""
	}
	copyIn("COPY_B", "%x1", in.bytesB(), in.bytesA())
	// Rows of 32 bytes as core matrices of 8 rows by 16 bytes: 128 bytes from
	// one to the next along K, 256 along M and N.
	const strides = 128>>4<<16 | 256>>4<<32
	put(`	fence.proxy.async.shared::cta;
	bar.sync 0;
	shr.u32 %%r4, %%r3, 4;
	cvt.u64.u32 %%x5, %%r4;
	or.b64 %%x5, %%x5, %#x;
	add.u64 %%x6, %%x5, %d;
	setp.eq.u32 %%p1, %%r4, %%r4;
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s %s, %s, %%x6, %%p1, %d, 1%s;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
`, strides, in.bytesA()>>4, in.n, in.k, in.d.name, in.a.name, in.b.name, in.registers("d", in.registersD()),
		a, scale, transposed)
}
