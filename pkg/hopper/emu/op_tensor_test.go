package emu_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
)

// tensorProbe is a kernel of one CTA around a few instructions under test. It
// copies image to shared memory and runs body; then every thread writes its
// registers %d0 to %d<outputs-1> to out. Registers start as inputs gives them,
// a word for each thread and register %d.
type tensorProbe struct {
	seed    int64
	threads int
	image   []byte
	inputs  []uint32 // by thread, then register; empty: %d is left alone
	body    string   // %rd2 is shared memory's address over 16, as descriptors have it
	outputs int
	debug   bool // compiled for a debugger
}

const probeText = `.version 8.6
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 smem[];
.visible .entry probe(.param .u64 image, .param .u64 inputs, .param .u64 out, .param .u32 words)
{
	.reg .pred %%p<4>;
	.reg .b32 %%r<16>;
	.reg .b32 %%d<128>;
	.reg .b32 %%e<8>;
	.reg .b64 %%rd<16>;
	ld.param.u32 %%r1, [words];
	mov.u32 %%r2, %%tid.x;
	mov.u32 %%r3, smem;
	shr.u32 %%r4, %%r3, 4;
	cvt.u64.u32 %%rd2, %%r4;
	mov.u32 %%r4, %%r2;
	ld.param.u64 %%rd1, [image];
COPY:
	setp.ge.u32 %%p0, %%r4, %%r1;
	@%%p0 bra COPIED;
	mul.wide.u32 %%rd3, %%r4, 4;
	add.u64 %%rd3, %%rd1, %%rd3;
	ld.global.u32 %%r5, [%%rd3];
	shl.b32 %%r6, %%r4, 2;
	add.u32 %%r6, %%r3, %%r6;
	st.shared.u32 [%%r6], %%r5;
	add.u32 %%r4, %%r4, %d;
	bra COPY;
COPIED:
	fence.proxy.async.shared::cta;
	bar.sync 0;
	setp.eq.u32 %%p1, %%r2, %%r2;
	setp.ne.u32 %%p2, %%r2, %%r2;
	mul.wide.u32 %%rd3, %%r2, %d;
	ld.param.u64 %%rd4, [inputs];
	add.u64 %%rd4, %%rd4, %%rd3;
	ld.param.u64 %%rd5, [out];
	mul.wide.u32 %%rd3, %%r2, %d;
	add.u64 %%rd5, %%rd5, %%rd3;
%s%s%s	ret;
}
`

// run executes the probe and returns what the threads wrote and what was found.
func (p tensorProbe) run(t testing.TB) (out []uint32, found []event.Finding) {
	t.Helper()
	perThread := len(p.inputs) / p.threads
	var loads, stores strings.Builder
	for i := range perThread {
		fmt.Fprintf(&loads, "\tld.global.u32 %%d%d, [%%rd4+%d];\n", i, 4*i)
	}
	for i := range p.outputs {
		fmt.Fprintf(&stores, "\tst.global.u32 [%%rd5+%d], %%d%d;\n", 4*i, i)
	}
	text := fmt.Sprintf(probeText, p.threads, 4*perThread, 4*p.outputs, loads.String(), p.body, stores.String())
	if p.debug {
		text = strings.Replace(text, ".target sm_90a", ".target sm_90a, debug", 1)
	}

	m := emu.New(emu.Config{Seed: p.seed})
	defer func() { require.NoError(t, m.Close()) }()
	upload := func(b []byte) device.Ptr {
		at, err := m.Alloc(len(b) + 16)
		require.NoError(t, err)
		require.NoError(t, m.Upload(at, b))
		return at
	}
	image := upload(p.image)
	inputs := upload(words(p.inputs))
	result := make([]byte, 4*p.threads*p.outputs)
	outAt := upload(result)
	module, err := m.Load(text)
	require.NoError(t, err, text)
	k, err := module.Kernel("probe")
	require.NoError(t, err)
	require.NoError(t, k.Launch(
		device.Launch{Grid: [3]int{1, 1, 1}, Block: [3]int{p.threads, 1, 1}, Shared: len(p.image) + 1024},
		device.Pointer(image), device.Pointer(inputs), device.Pointer(outAt), device.Int32(int32(len(p.image)/4))))
	require.NoError(t, m.Synchronize())
	require.NoError(t, m.Download(result, outAt))
	for i := range p.threads * p.outputs {
		out = append(out, binary.LittleEndian.Uint32(result[4*i:]))
	}
	return out, m.Findings()
}

func words(w []uint32) (b []byte) {
	for _, x := range w {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// registers is "{%d4, %d5}" for registers "%d", 4, 2.
func registers(name string, first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s%d", name, first+i)
	}
	return "{" + strings.Join(list, ", ") + "}"
}

func TestLdmatrix(t *testing.T) {
	// Four 8x8 matrices of 16-bit elements, row by row, each element its index.
	image := make([]byte, 512)
	for i := range 256 {
		binary.LittleEndian.PutUint16(image[2*i:], uint16(i))
	}
	element := func(matrix, row, column int) uint32 { return uint32(64*matrix + 8*row + column) }
	address := "\tand.b32 %r8, %r2, 31;\n\tshl.b32 %r8, %r8, 4;\n\tadd.u32 %r8, %r8, %r3;\n"
	generic := "\tcvt.u64.u32 %rd8, %r8;\n\tcvta.shared.u64 %rd8, %rd8;\n"
	for _, c := range []struct {
		name, body string
		matrices   int
		trans      bool
	}{
		{"four", "\tldmatrix.sync.aligned.m8n8.x4.shared.b16 {%d0, %d1, %d2, %d3}, [%r8];\n", 4, false},
		{"four transposed", "\tldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%d0, %d1, %d2, %d3}, [%r8];\n", 4, true},
		{"two, generic address", generic + "\tldmatrix.sync.aligned.m8n8.x2.b16 {%d0, %d1}, [%rd8];\n", 2, false},
		{"one transposed", "\tldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%d0}, [%r8];\n", 1, true},
		{"one into its own address register", "\tldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r8];\n\tmov.b32 %d0, %r8;\n", 1, false},
		{"one transposed in registers", "\tldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%r8];\n\tmovmatrix.sync.aligned.m8n8.trans.b16 %d0, %d0;\n", 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, found := tensorProbe{threads: 32, image: image, body: address + c.body, outputs: c.matrices}.run(t)
			require.Empty(t, found)
			for lane := range 32 {
				for i := range c.matrices {
					want := element(i, lane/4, lane%4*2) | element(i, lane/4, lane%4*2+1)<<16
					if c.trans {
						want = element(i, lane%4*2, lane/4) | element(i, lane%4*2+1, lane/4)<<16
					}
					require.Equal(t, want, out[lane*c.matrices+i], "lane %d matrix %d", lane, i)
				}
			}
		})
	}
}

// stmatrix undoes ldmatrix.
func TestStmatrix(t *testing.T) {
	image := make([]byte, 1024) // source, then room for the copy
	for i := range 256 {
		binary.LittleEndian.PutUint16(image[2*i:], uint16(1000+i))
	}
	for _, trans := range []string{"", ".trans"} {
		body := fmt.Sprintf(`	shl.b32 %%r8, %%r2, 4;
	add.u32 %%r8, %%r8, %%r3;
	ldmatrix.sync.aligned.m8n8.x4%[1]s.shared.b16 {%%d0, %%d1, %%d2, %%d3}, [%%r8];
	stmatrix.sync.aligned.m8n8.x4%[1]s.shared.b16 [%%r8+512], {%%d0, %%d1, %%d2, %%d3};
	bar.sync 0;
	ld.shared.u32 %%d0, [%%r8+512];
	ld.shared.u32 %%d1, [%%r8+516];
	ld.shared.u32 %%d2, [%%r8+520];
	ld.shared.u32 %%d3, [%%r8+524];
`, trans)
		out, found := tensorProbe{threads: 32, image: image, body: body, outputs: 4}.run(t)
		require.Empty(t, found)
		require.Equal(t, image[:512], words(out))
	}
}

func TestLdmatrixFindings(t *testing.T) {
	body := "\tshl.b32 %r8, %r2, 4;\n\tadd.u32 %r8, %r8, %r3;\n\tadd.u32 %r8, %r8, 8;\n" +
		"\tldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%r8];\n"
	_, found := tensorProbe{threads: 32, image: make([]byte, 1024), body: body, outputs: 1}.run(t)
	require.Len(t, found, 1)
	require.Equal(t, "misaligned", found[0].Rule)
	require.Equal(t, 8, found[0].Count, "the eight lanes that have a row")
}
