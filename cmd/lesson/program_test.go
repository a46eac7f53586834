package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/report"
	"gohopper/pkg/hopper/cuda"
)

// script writes a program of the shell.
func script(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755))
}

// here is a call in a folder of the real file system, with these variables.
func here(t *testing.T, dir string, env map[string]string) *call {
	t.Helper()
	c := laptop(dir)
	c.machine.Root = os.DirFS("/")
	c.machine.Env = func(key string) string { return env[key] }
	return c
}

func TestEnvironment(t *testing.T) {
	hopper := cuda.Status{Library: "/usr/lib64/libcuda.so.1", Nodes: []string{"/dev/nvidia0"}}
	const (
		gcc     = "usr/bin/gcc"
		headers = "usr/local/cuda/include/cuda.h"
		stub    = "usr/local/cuda/lib64/stubs/libcuda.so"
	)
	flags := []string{
		"CGO_ENABLED=1",
		`CGO_CFLAGS="-I/course/pkg/hopper/cuda/include" -g -O2 "-I/usr/local/cuda/include"`,
		`CGO_LDFLAGS= "-L/usr/local/cuda/lib64/stubs"`,
	}
	for _, c := range []struct {
		why, tags string
		gpu       cuda.Status
		files     []string
		env       map[string]string
		want      []string // nil: no tag
		note, err string
	}{
		{why: "a laptop builds without", tags: "auto"},
		{why: "headers alone are no reason", tags: "auto", files: []string{gcc, headers, stub}},
		{why: "a GPU and the headers", tags: "auto", gpu: hopper, files: []string{gcc, headers, stub}, want: flags},
		{why: "a GPU without headers goes without, and says so", tags: "auto", gpu: hopper, files: []string{gcc}, note: "note: this machine has a GPU, but there is no cuda.h"},
		{why: "not wanted", tags: "none", gpu: hopper, files: []string{gcc, headers, stub}},
		{why: "wanted without a GPU, for another machine", tags: "cuda", files: []string{gcc, headers, stub}, want: flags},
		{why: "wanted without headers", tags: "cuda", files: []string{gcc}, err: "there is no cuda.h: "},
		{why: "wanted without a compiler", tags: "cuda", files: []string{headers, stub}, err: "there is no C compiler"},
		{why: "wanted with cgo turned off", tags: "cuda", files: []string{gcc, headers, stub}, env: map[string]string{"CGO_ENABLED": "0"}, err: "CGO_ENABLED=0 turns off cgo"},
		{why: "wanted with nothing to link", tags: "cuda", files: []string{gcc, headers}, err: "there is neither a driver nor a toolkit's stub"},
		{why: "the user's flags are kept", tags: "cuda", files: []string{gcc, headers, stub}, env: map[string]string{"CGO_CFLAGS": "-O3", "CGO_LDFLAGS": "-L/mine"},
			want: []string{"CGO_ENABLED=1", `CGO_CFLAGS="-I/course/pkg/hopper/cuda/include" -O3 "-I/usr/local/cuda/include"`, `CGO_LDFLAGS=-L/mine "-L/usr/local/cuda/lib64/stubs"`}},
	} {
		t.Run(c.why, func(t *testing.T) {
			call := laptop("/course")
			var stderr strings.Builder
			call.stderr, call.gpu = &stderr, c.gpu
			root := fstest.MapFS{}
			for _, name := range c.files {
				root[name] = &fstest.MapFile{Data: []byte("#define CUDA_VERSION 13000\n"), Mode: 0o755}
			}
			call.machine.Root = root
			call.machine.Env = func(key string) string {
				if key == "PATH" {
					return "/usr/bin"
				}
				return c.env[key]
			}
			p := &programs{call: call, tags: c.tags}
			defer p.close()
			tagged, env, err := p.environment("/course")
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want != nil, tagged)
			assert.Equal(t, c.want, env)
			assert.Contains(t, stderr.String(), c.note)
			assert.Equal(t, c.note == "", stderr.String() == "")
		})
	}
}

// TestLinkDriver: a machine with a driver and no toolkit gets the name that the
// linker looks for.
func TestLinkDriver(t *testing.T) {
	p := &programs{call: laptop("/course")}
	p.call.gpu = cuda.Status{Library: "/usr/lib64/libcuda.so.1"}
	defer p.close()
	for range 2 { // a second build finds the first's link
		dir, err := p.linkDriver()
		require.NoError(t, err)
		target, err := os.Readlink(filepath.Join(dir, "libcuda.so"))
		require.NoError(t, err)
		assert.Equal(t, "/usr/lib64/libcuda.so.1", target)
	}
}

// TestRunBuilds builds with a go command that writes a program which shows how
// it was built and called.
func TestRunBuilds(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module gohopper\n"), 0o644))
	script(t, dir, "go", `printf '#!/bin/sh\necho built as "%s", called with $*\nexit 3\n' "$*" >"$3"; chmod +x "$3"`)
	t.Setenv("TMPDIR", t.TempDir())
	c := here(t, dir, map[string]string{"PATH": dir})
	status, stdout, stderr := use(c, "run", "v1", "-m", "64", "-tags", "x")
	assert.Equal(t, 3, status, "the lesson's status is ours: %s", stderr)
	assert.Regexp(t, `^built as build -o \S+/v1 ./lessons/v1, called with -m 64 -tags x\n$`, stdout)
	assert.Empty(t, stderr, "the lesson has told its own story")
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	assert.Empty(t, left, "what was built is removed")

	status, stdout, _ = use(c, "ptx", "v1", "-tile-n", "64")
	assert.Equal(t, 3, status)
	assert.Contains(t, stdout, "called with -ptx -tile-n 64")

	for _, args := range [][]string{{"trace", "v1", "-o", "t.json", "-k", "64"}, {"trace", "-o", "t.json", "v1", "-k", "64"}} {
		status, stdout, _ = use(c, args...)
		assert.Equal(t, 3, status)
		assert.Contains(t, stdout, "called with -device emu -trace t.json -k 64", "%v", args)
	}

	script(t, dir, "go", "echo lessons/v1/kernel.go:3:1: syntax error >&2; exit 1")
	status, _, stderr = use(c, "run", "v1")
	assert.Equal(t, 1, status)
	assert.Equal(t, "lesson run: lessons/v1 does not build: exit status 1\nlessons/v1/kernel.go:3:1: syntax error\n", stderr)
}

func TestTestPassesFlagsOn(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module gohopper\n"), 0o644))
	script(t, dir, "go", `echo "$*"; exit 1`)
	status, stdout, stderr := use(here(t, dir, map[string]string{"PATH": dir}), "test", "v1", "v2", "-run", "Ragged", "-v")
	assert.Equal(t, 1, status)
	assert.Equal(t, "test ./lessons/v1 ./lessons/v2 -run Ragged -v\n", stdout)
	assert.Empty(t, stderr)
}

func TestBuildInto(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module gohopper\n"), 0o644))
	script(t, dir, "go", `echo "$4" >"$3"`)
	status, stdout, stderr := use(here(t, dir, map[string]string{"PATH": dir}), "build", "v2", "-o", "carry", "v6")
	require.Zero(t, status, stderr)
	var want []string
	for _, name := range []string{"lesson", "v2", "v6"} {
		want = append(want, filepath.Join(dir, "carry", name))
		pkg, err := os.ReadFile(filepath.Join(dir, "carry", name))
		require.NoError(t, err)
		assert.Equal(t, name, strings.TrimSpace(filepath.Base(string(pkg))), "each by its own name")
	}
	assert.Equal(t, strings.Join(want, "\n")+"\n", stdout)
}

// TestBenchWithPrebuilt needs neither Go nor the repository.
func TestBenchWithPrebuilt(t *testing.T) {
	dir := t.TempDir()
	recorded, err := filepath.Abs("testdata/v0.json")
	require.NoError(t, err)
	find := `while [ "$1" != -json ]; do shift; done; `
	script(t, dir, "v0", find+`cp `+recorded+` "$2"`)
	script(t, dir, "v1", `echo "v1: the result is wrong" >&2; exit 1`)
	file := filepath.Join(dir, "run.json")

	status, stdout, stderr := use(here(t, dir, nil), "bench", "-bin", ".", "v0", "-processes", "2", "-json", file)
	require.Zero(t, status, stderr)
	golden(t, "bench.txt", []byte(stdout))
	assert.Contains(t, stderr, "1 of 2: v0 f16 8192x8192x8192 process 1 ... 733.0 TFLOP/s, 1.020 of cuBLAS 13.1\n")
	results, err := report.Read(file)
	require.NoError(t, err)
	require.Len(t, results, 2)
	assert.Equal(t, []int{1, 2}, []int{results[0].Process, results[1].Process})

	status, stdout, stderr = use(here(t, dir, nil), "bench", "-bin", dir, "-processes", "1")
	assert.Equal(t, 1, status, "without names, every lesson in the folder runs")
	assert.Contains(t, stdout, "v0      matmul_v0", "what was measured is shown")
	assert.Contains(t, stderr, "lesson bench: 1 of 2 processes failed; the first, v1 f16 8192x8192x8192 process 1: v1: the result is wrong\n")

	status, _, stderr = use(here(t, dir, nil), "bench", "-bin", dir, "-json", "none/run.json")
	assert.Equal(t, 1, status)
	assert.Equal(t, "lesson bench: there is no folder "+dir+"/none to write the report in\n", stderr)
}

// TestProfile: ncu is asked which metrics it has, and then for those.
func TestProfile(t *testing.T) {
	dir := t.TempDir()
	script(t, dir, "v6", `echo .version 8.0 .target sm_90a .address_size 64 ".visible .entry matmul_v6() { ret; }"`)
	c := here(t, dir, map[string]string{"PATH": dir})
	script(t, dir, "ncu", "")
	var asked string
	c.machine.Run = runOf(func(args []string) (string, error) {
		if args[0] == "--query-metrics" {
			return "gpu__time_duration  Counter  nsecond  the time\n", nil
		}
		asked = strings.Join(args, " ")
		for i, arg := range args {
			if arg == "--log-file" {
				return "", os.WriteFile(args[i+1], []byte(`==PROF== Profiling "matmul_v6"
"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","matmul_v6","gpu__time_duration.sum","nsecond","1,466,272"
`), 0o600)
			}
		}
		return "", nil
	})
	status, stdout, stderr := use(c, "profile", "-bin", dir, "v6", "--", "-m", "4096")
	require.Zero(t, status, stderr)
	assert.Equal(t, "says  value     metric\ntime  1.466 ms  gpu__time_duration.sum\n", stdout)
	assert.Contains(t, stderr, "note: this ncu has no dram__bytes.sum\n")
	assert.Contains(t, asked, "--kernel-name matmul_v6 ")
	assert.Contains(t, asked, "--metrics gpu__time_duration.sum ")
	assert.True(t, strings.HasSuffix(asked, filepath.Join(dir, "v6")+" -device cuda -m 4096"), asked)

	c.machine.Run = runOf(func([]string) (string, error) { return "nothing known", nil })
	status, _, stderr = use(c, "profile", "-bin", dir, "v6")
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "lesson profile: this ncu lists none of the metrics")
}
