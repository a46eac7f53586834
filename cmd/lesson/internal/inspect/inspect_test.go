package inspect

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/ptx"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run the test with -update if the change is meant")
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(text)
}

// recorded is a set of tools that say what real ones said: name.log, name.sass
// and name.usage of testdata.
func recorded(t *testing.T, name string) Tools {
	return Tools{PTXAS: "ptxas", CUObjDump: "cuobjdump", Run: func(_ context.Context, program string, args ...string) (string, error) {
		switch args[0] {
		case "--version":
			return "Cuda compilation tools, release 13.0, V13.0.88\n", nil
		case "-sass":
			return file(t, name+".sass"), nil
		case "-res-usage":
			return file(t, name+".usage"), nil
		}
		require.Equal(t, "-arch=sm_90a", args[0])
		return file(t, name+".log"), nil
	}}
}

func TestReports(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		golden, why string
		ok          bool
		make        func() (*Report, error)
	}{
		{"hopper.txt", "a kernel with everything is praised for it", true, func() (*Report, error) {
			return PTX(ctx, "hopper.ptx", file(t, "hopper.ptx"), recorded(t, "hopper"), true)
		}},
		{"hopper.notools.txt", "without tools, the PTX alone", true, func() (*Report, error) {
			return PTX(ctx, "hopper.ptx", file(t, "hopper.ptx"), Tools{}, true)
		}},
		{"blamed.txt", "every fault, with its reason", false, func() (*Report, error) {
			return PTX(ctx, "blamed.ptx", file(t, "blamed.ptx"), recorded(t, "blamed"), true)
		}},
		{"blamed.unasked.txt", "nobody asked for WGMMA, so mma.sync is a remark", false, func() (*Report, error) {
			return PTX(ctx, "blamed.ptx", file(t, "blamed.ptx"), recorded(t, "blamed"), false)
		}},
		{"cubin.txt", "machine code alone, of which the size of the CTA is not known", false, func() (*Report, error) {
			return Cubin(ctx, "testdata/blamed.sass", recorded(t, "blamed"), false) // any file that exists
		}},
	} {
		t.Run(c.why, func(t *testing.T) {
			r, err := c.make()
			require.NoError(t, err)
			assert.Equal(t, c.ok, r.OK())
			var out bytes.Buffer
			require.NoError(t, r.Print(&out))
			golden(t, c.golden, out.Bytes())
		})
	}
}

// TestNVDisasm: its form of the same code gives the same counts.
func TestNVDisasm(t *testing.T) {
	const code = "\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n        /*0000*/              @!UP0 UTMALDG.2D [UR8], [UR6] ;\n.L_x_1:\n        /*0010*/                   EXIT ;\n"
	order, counts := countSASS(code)
	assert.Equal(t, []string{"k"}, order)
	assert.Equal(t, &Code{Total: 2, Counts: map[string]int{tmaLoad: 1}}, counts["k"])
}

func TestErrors(t *testing.T) {
	refusing := Tools{PTXAS: "ptxas", CUObjDump: "cuobjdump", Run: func(_ context.Context, _ string, args ...string) (string, error) {
		return "ptxas " + args[len(args)-1] + ", line 7; error   : Unknown symbol 'x'\n", errors.New("exit status 255")
	}}
	ctx := context.Background()
	_, err := PTX(ctx, "k.ptx", "module", Tools{}, false)
	assert.ErrorContains(t, err, "k.ptx:1:1: ")
	_, err = PTX(ctx, "k.ptx", ".version 8.0\n.target sm_90a\n.address_size 64\n", Tools{}, false)
	assert.EqualError(t, err, "k.ptx: it has no kernel")
	_, err = PTX(ctx, "k.ptx", file(t, "hopper.ptx"), refusing, false)
	assert.EqualError(t, err, "k.ptx: ptxas refuses it: exit status 255\nptxas k.ptx, line 7; error   : Unknown symbol 'x'", "the user's name of the file")
	_, err = Cubin(ctx, "k.cubin", Tools{PTXAS: "ptxas"}, false)
	assert.ErrorContains(t, err, "k.cubin: there is no cuobjdump or nvdisasm: put it on PATH")
	_, err = Cubin(ctx, "testdata/none.cubin", recorded(t, "hopper"), false)
	assert.ErrorContains(t, err, "testdata/none.cubin")
	empty := Tools{NVDisasm: "nvdisasm", Run: func(context.Context, string, ...string) (string, error) { return "", nil }}
	_, err = Cubin(ctx, "testdata/hopper.sass", empty, false)
	assert.EqualError(t, err, "testdata/hopper.sass: it has no machine code")
}

func TestArchitecture(t *testing.T) {
	for target, want := range map[string]string{
		"sm_90a": "sm_90a", "sm_90": "sm_90a", "sm_80": "sm_90a", "sm_100a": "sm_100a", "sm_120": "sm_120",
	} {
		assert.Equal(t, want, architecture(&ptx.Module{Target: []string{target}}), target)
	}
}

// TestEveryMatterOccurs: each row of the table is met by a kernel of testdata, so
// a pattern that matches nothing is noticed.
func TestEveryMatterOccurs(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range []string{"hopper.ptx", "blamed.ptx", "others.ptx"} {
		m, err := ptx.Parse(file(t, name))
		require.NoError(t, err)
		for _, k := range CountPTX(m) {
			for matter := range k.PTX.Counts {
				seen[matter] = true
			}
		}
	}
	for _, m := range Matters() {
		assert.True(t, seen[m.Name], "%s", m.Name)
	}
}

// TestRealTools assembles a kernel where ptxas and cuobjdump are on PATH, and
// holds the recorded form of their output to the real one.
func TestRealTools(t *testing.T) {
	tools := Tools{Run: func(ctx context.Context, program string, args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
		return string(out), err
	}}
	var err error
	if tools.PTXAS, err = exec.LookPath("ptxas"); err != nil {
		t.Skip("there is no ptxas on PATH")
	}
	if tools.CUObjDump, err = exec.LookPath("cuobjdump"); err != nil {
		t.Skip("there is no cuobjdump on PATH")
	}
	r, err := PTX(context.Background(), "hopper.ptx", file(t, "hopper.ptx"), tools, true)
	require.NoError(t, err)
	require.Len(t, r.Kernels, 1)
	k := r.Kernels[0]
	require.NotNil(t, k.Machine)
	for _, m := range []string{wgmma, tmaLoad, tmaMulticast, tmaStore, barrierInit, setMaxReg} {
		assert.Equal(t, k.PTX.Counts[m], k.Machine.Counts[m], m)
	}
	require.NotNil(t, k.Build)
	assert.Positive(t, k.Build.Registers)
	assert.Contains(t, r.Assembler, "ptxas of CUDA ")
}
