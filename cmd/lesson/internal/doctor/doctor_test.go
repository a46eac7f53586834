package doctor

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/cmd/lesson/internal/machine"
	"gohopper/pkg/hopper/cuda"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
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

// patient is a machine with these files, all of them programs as well, whose
// programs answer as below.
func patient(files ...string) Patient {
	root := fstest.MapFS{}
	for _, name := range files {
		name, text, _ := strings.Cut(name, "=")
		root[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o755}
	}
	answers := map[string]string{
		"go version":    "go version go1.26.8 linux/amd64\n",
		"go env":        "1\n",
		"ptxas":         "ptxas: NVIDIA (R) Ptx optimizing assembler\nCuda compilation tools, release 13.0, V13.0.88\n",
		"nvdisasm":      "nvdisasm: NVIDIA (R) CUDA disassembler\nCuda compilation tools, release 13.0, V13.0.85\n",
		"ncu":           "NVIDIA (R) Nsight Compute Command Line Profiler\nVersion 2025.3.1.0 (build 36398880) (public-release)\n",
		"nvidia-smi":    "| NVIDIA-SMI 580.159.03   Driver Version: 580.159.03   CUDA Version: 13.0     |\n",
		"nvidia-smi -q": "NVIDIA H200, 580.159.03, 9.0\n",
	}
	return Patient{
		Machine: machine.Machine{
			Root: root, Dir: "/home/reader",
			Env: func(key string) string { return map[string]string{"PATH": "/usr/local/go/bin:/usr/bin"}[key] },
			Run: func(_ context.Context, program string, args ...string) (string, error) {
				key := filepath.Base(program)
				switch {
				case key == "go":
					key += " " + args[0]
				case key == "nvidia-smi" && len(args) > 0:
					key += " -q"
				}
				answer, ok := answers[key]
				if !ok {
					return "", errors.New("exit status 1")
				}
				return answer, nil
			},
		},
		GPU:     cuda.Status{},
		Open:    func() (device.Device, error) { return nil, cuda.ErrNotBuilt },
		Emulate: func() error { return nil },
	}
}

const (
	goCommand  = "usr/local/go/bin/go"
	gcc        = "usr/bin/gcc"
	headers13  = "usr/local/cuda/include/cuda.h=#define CUDA_VERSION 13000\n"
	stub       = "usr/local/cuda/lib64/stubs/libcuda.so"
	driverFile = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"
)

// h200 is what the driver leaves of an H200 in the file system.
var h200 = cuda.Status{
	Driver: "580.159.03", Library: driverFile, Nodes: []string{"/dev/nvidia0"}, Models: []string{"NVIDIA H200"},
}

func TestReports(t *testing.T) {
	for _, c := range []struct {
		golden, why string
		make        func() Patient
		ok          bool
	}{
		{"bare.txt", "a computer with nothing but this program", func() Patient { return patient() }, true},
		{"laptop.txt", "a laptop with Go and the repository", func() Patient {
			p := patient(goCommand, gcc)
			p.Root = "/home/reader/gohopper"
			return p
		}, true},
		{"assembler.txt", "a laptop with NVIDIA's assembler as well, in a folder of its own", func() Patient {
			p := patient(goCommand, "opt/tools/ptxas", "opt/tools/nvdisasm")
			p.Root, p.Tools = "/home/reader/gohopper", "/opt/tools"
			return p
		}, true},
		{"carried.txt", "an H200 without Go, to which programs with the tag were carried", func() Patient {
			p := patient("usr/bin/nvidia-smi")
			p.GPU = h200
			p.GPU.Built = true
			p.Open = func() (device.Device, error) { return card200{}, nil }
			return p
		}, true},
		{"untagged.txt", "an H200 with a toolkit; this program has no tag, nvidia-smi answers", func() Patient {
			p := patient(goCommand, gcc, headers13, stub, "usr/bin/nvidia-smi", "usr/local/cuda/bin/ptxas", "usr/local/cuda/bin/ncu",
				"usr/local/cuda/lib64/libcublas.so.13", "usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1")
			p.Root, p.GPU = "/home/reader/gohopper", h200
			return p
		}, true},
		{"driveronly.txt", "an H200 with a driver, no toolkit and no nvidia-smi", func() Patient {
			p := patient(goCommand, gcc)
			p.Root, p.GPU = "/home/reader/gohopper", h200
			return p
		}, true},
		{"ampere.txt", "a GPU that is not a Hopper, and headers that are too old", func() Patient {
			p := patient("usr/local/cuda/include/cuda.h=#define CUDA_VERSION 12010\n")
			p.GPU = cuda.Status{Driver: "550.54.15", Library: driverFile, Nodes: []string{"/dev/nvidia0"}, Models: []string{"NVIDIA A100-SXM4-80GB"}}
			return p
		}, true},
		{"busy.txt", "a GPU that cannot be opened, and a driver without its library", func() Patient {
			p := patient()
			p.GPU = cuda.Status{Built: true, Driver: "580.159.03", Nodes: []string{"/dev/nvidia0"}, Models: []string{"NVIDIA H100"}}
			p.Open = func() (device.Device, error) { return nil, errors.New("cuda: cuCtxCreate: out of memory") }
			return p
		}, true},
		{"broken.txt", "a broken emulator is a fault of the course", func() Patient {
			p := patient()
			p.Emulate = func() error { return errors.New("the product is wrong: element (0, 0) is 1 and should be 2") }
			return p
		}, false},
	} {
		t.Run(c.why, func(t *testing.T) {
			r := Examine(context.Background(), c.make())
			assert.Equal(t, c.ok, r.OK())
			var out bytes.Buffer
			require.NoError(t, r.Print(&out))
			golden(t, c.golden, out.Bytes())
			for _, check := range r.Checks {
				assert.True(t, check.Found != "" || check.Advice != "", "%s says something", check.Name)
			}
		})
	}
}

// TestCgoTurnedOff: the go command says so, not the environment.
func TestCgoTurnedOff(t *testing.T) {
	p := patient(goCommand, gcc)
	run := p.Machine.Run
	p.Machine.Run = func(ctx context.Context, program string, args ...string) (string, error) {
		if args[0] == "env" {
			return "0\n", nil
		}
		return run(ctx, program, args...)
	}
	checks := p.golang(context.Background())
	assert.Equal(t, Check{"cgo", Missing, "/usr/bin/gcc", "turned off by CGO_ENABLED=0; a build for the GPU needs it"}, checks[1])
}

// TestTrial runs the trial for real, and on an emulator that answers wrongly.
func TestTrial(t *testing.T) {
	require.NoError(t, Try(emu.New(emu.Config{Seed: 1})))
	err := Try(liar{emu.New(emu.Config{Seed: 1})})
	assert.EqualError(t, err, "the product is wrong: element (0, 0) is 0 and should be 193")
}

// liar forgets what a kernel computed.
type liar struct{ *emu.Machine }

func (liar) Download(dst []byte, _ device.Ptr) error {
	clear(dst)
	return nil
}

// card200 is an open H200. Only what the examination asks for is there.
type card200 struct{ device.Device }

func (card200) Info() device.Info {
	return device.Info{Real: true, Name: "NVIDIA H200", SMs: 132, Capability: [2]int{9, 0}, Driver: "580.159.03", CUDA: "13.0", TotalMemory: 150_000_000_000}
}
func (card200) Read() (device.Reading, error) {
	return device.Reading{SMClockMHz: 345, PowerW: 77.4, TempC: 30}, nil
}
func (card200) Library() (device.Library, error) { return library{}, nil }
func (card200) Close() error                     { return nil }

type library struct{ device.Library }

func (library) Name() string { return "cuBLAS 13.1.0" }
func (library) Close() error { return nil }
