package main

import (
	"bytes"
	"context"
	"encoding/json"
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
	"gohopper/lessons"
	"gohopper/pkg/hopper/cuda"
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

// repository is a small one, with two kernels that stay as they are.
var repository = map[string]string{
	"course/go.mod":               "module gohopper\n\ngo 1.26\n",
	"course/lessons/v0/kernel.go": "package main\n\n// DefaultTile is small.\nvar DefaultTile = Tile{M: 128, N: 64, K: 32, WarpsM: 2}\n\nfunc Kernel() {\n\tload()\n\tmultiply()\n\tstore()\n}\n",
	"course/lessons/v1/kernel.go": "package main\n\nvar DefaultTile = Tile{M: 128, N: 64, K: 32, Stages: 4}\n\nfunc Kernel() {\n\tload()\n\twgmma()\n\twait()\n\tstore()\n}\n",
	"course/lessons/v7/kernel.go": "package main\n\nvar space = []Tile{}\n",
	"other/go.mod":                "module gohopperish\n",
}

// laptop is a computer without a GPU, Go or a compiler.
func laptop(dir string) *call {
	root := fstest.MapFS{}
	for name, text := range repository {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return &call{
		ctx: context.Background(), stdin: strings.NewReader(""),
		machine: machine.Machine{Root: root, Dir: dir, Env: func(string) string { return "" },
			Run: func(context.Context, string, ...string) (string, error) {
				return "", errors.New("no program was expected")
			}},
	}
}

// use runs a command line and returns its status and what it printed.
func use(c *call, args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	c.stdout, c.stderr = &out, &err
	status = dispatch(c, args)
	return status, out.String(), err.String()
}

func TestMistakesAndFailures(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string // the whole standard error
	}{
		{"lst", 2, `lesson: there is no command "lst": did you mean list?; lesson help lists them`},
		{"xyzzy", 2, `lesson: there is no command "xyzzy"; lesson help lists them`},
		{"help bnch", 2, `lesson help: there is no command "bnch": did you mean bench?; lesson help lists them`},
		{"list v3", 2, `lesson list: "v3" is one argument too many`},
		{"list -x", 2, `lesson list: flag provided but not defined: -x; lesson list -h lists the flags`},
		{"run", 2, `lesson run: give the name of a lesson; lesson list shows them`},
		{"trace", 2, `lesson trace: give the name of a lesson; lesson list shows them`},
		{"trace v3", 2, `lesson trace: say where to write the timeline: -o FILE, right after the lesson's name`},
		{"run v77", 2, `lesson run: there is no lesson "v77": did you mean v7?; lesson list shows them`},
		{"run v9", 2, `lesson run: there is no lesson "v9"; lesson list shows them`},
		{"run -tags gpu v3", 2, `lesson run: invalid value "gpu" for flag -tags: it is cuda, none or auto; lesson run -h lists the flags`},
		{"run v3", 1, `lesson run: there is no go command on PATH: install Go from https://go.dev/dl, or give -bin DIR with prebuilt programs`},
		{"run -bin /course v3", 1, `lesson run: there is no program v3 in /course: lesson build -o /course makes it, on a machine with Go`},
		{"test v3 v77", 2, `lesson test: there is no lesson "v77": did you mean v7?; lesson list shows them`},
		{"ptx -tags cuda v3", 2, `lesson ptx: flag provided but not defined: -tags; lesson ptx -h lists the flags`},
		{"build v3", 2, `lesson build: say where to: -o DIR`},
		{"build v3 -o out", 1, `lesson build: there is no go command on PATH: install Go from https://go.dev/dl`},
		{"bench", 1, `lesson bench: times come from a GPU: ` + cuda.ErrNoDriver.Error()},
		{"bench v77", 2, `lesson bench: there is no lesson "v77": did you mean v7?; lesson list shows them`},
		{"bench -shapes 8x8", 2, `lesson bench: -shapes: shape "8x8" has 2 sizes: give three, M x N x K, or one for a cube`},
		{"bench v1 -types f8", 2, `lesson bench: -types: type "f8": it is f16 or bf16`},
		{"bench -processes 0", 2, `lesson bench: -processes 0: at least 1`},
		{"bench -bin /course", 1, `lesson bench: there is no lesson in /course: lesson build -o /course makes them, on a machine with Go`},
		{"bench -bin /course v1", 1, `lesson bench: there is no program v1 in /course: lesson build -o /course makes it, on a machine with Go`},
		{"diff v0", 2, `lesson diff: give two lessons, as in lesson diff v4 v5`},
		{"diff v0 v2", 1, `lesson diff: the kernel of v2: /course/lessons/v2/kernel.go cannot be read: file does not exist`},
		{"inspect", 2, `lesson inspect: give one lesson or one file`},
		{"inspect v77", 2, `lesson inspect: there is no lesson "v77": did you mean v7?; lesson list shows them`},
		{"inspect none.ptx", 1, `lesson inspect: /course/none.ptx cannot be read: file does not exist`},
		{"inspect go.mod", 1, `lesson inspect: go.mod:1:1: found "module", expected ".version": a module begins with ".version 8.6", ".target sm_90a", ".address_size 64"`},
		{"profile", 2, `lesson profile: give the name of a lesson; lesson list shows them`},
		{"profile v3", 1, `lesson profile: there is no ncu: install Nsight Compute (with the CUDA toolkit, or from https://developer.nvidia.com/nsight-compute), put it on PATH or give its folder with -tools DIR`},
		{"plot v3", 2, `lesson plot: "v3" is one argument too many`},
		{"plot", 1, `lesson plot: cannot read the report: open /course/plots/data/ladder.json: no such file or directory`},
		{"doctor now", 2, `lesson doctor: "now" is one argument too many`},
	} {
		t.Run(c.args, func(t *testing.T) {
			status, stdout, stderr := use(laptop("/course"), strings.Fields(c.args)...)
			assert.Equal(t, c.status, status)
			assert.Equal(t, c.want+"\n", stderr)
			assert.Empty(t, stdout)
		})
	}
}

func TestNoCommand(t *testing.T) {
	status, stdout, stderr := use(laptop("/course"))
	assert.Equal(t, 2, status)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, "commands:")
	assert.Contains(t, stderr, "lesson: give a command\n")
}

// TestHelp: -h of each command says how it is used, and is no failure.
func TestHelp(t *testing.T) {
	for _, cmd := range commands() {
		t.Run(cmd.name, func(t *testing.T) {
			status, stdout, stderr := use(laptop("/"), cmd.name, "-h")
			assert.Zero(t, status)
			assert.Empty(t, stderr)
			assert.True(t, strings.HasPrefix(stdout, "usage: lesson "+cmd.name), "%s", stdout)
			_, same, _ := use(laptop("/"), "help", cmd.name)
			assert.Equal(t, stdout, same)
			for line := range strings.Lines(stdout) {
				if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, " ") { // the flag package breaks no lines
					assert.LessOrEqual(t, len([]rune(line)), 82, "%q", line)
				}
			}
			_, overview, _ := use(laptop("/"), "help")
			assert.Contains(t, overview, cmd.short)
		})
	}
}

func TestRoot(t *testing.T) {
	for dir, want := range map[string]string{"/course": "/course", "/course/lessons/v0": "/course", "/other": "", "/": ""} {
		got, err := laptop(dir).root()
		assert.Equal(t, want, got, dir)
		if want == "" {
			assert.EqualError(t, err, dir+" is not inside the course: no go.mod of module gohopper is there or above; cd into the repository")
		}
	}
	_, _, stderr := use(laptop("/other"), "run", "v0")
	assert.Equal(t, "lesson run: /other is not inside the course: no go.mod of module gohopper is there or above; cd into the repository, or give -bin DIR with prebuilt programs\n", stderr)
}

func TestList(t *testing.T) {
	status, stdout, stderr := use(laptop("/course/lessons"), "list", "-json")
	require.Zero(t, status, stderr)
	var rows []listed
	require.NoError(t, json.Unmarshal([]byte(stdout), &rows))
	require.Len(t, rows, len(lessons.All()))
	tiles := map[string]string{}
	for i, r := range rows {
		assert.Equal(t, lessons.All()[i], r.Lesson)
		tiles[r.Name] = r.Tile
	}
	assert.Equal(t, "128x64x32, warps-m 2", tiles["v0"])
	assert.Equal(t, "128x64x32, stages 4", tiles["v1"])
	assert.Empty(t, tiles["v2"], "it has no kernel.go here")
	assert.Equal(t, "by shape", tiles["v7"])

	_, stdout, _ = use(laptop("/"), "list")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	assert.Len(t, lines, len(rows)+1)
	for _, line := range lines {
		assert.Equal(t, strings.Index(lines[0], "idea"), strings.Index(line, strings.Fields(line)[1]), "the columns are aligned: %q", line)
	}
}

func TestDiff(t *testing.T) {
	status, stdout, stderr := use(laptop("/course"), "diff", "../lessons/v0/", "lessons/v1")
	require.Zero(t, status, stderr)
	golden(t, "diff.txt", []byte(stdout))

	_, stdout, _ = use(laptop("/course"), "diff", "-json", "v0", "v1")
	var s step
	require.NoError(t, json.Unmarshal([]byte(stdout), &s))
	assert.Equal(t, [4]int{10, 10, 3, 3}, [4]int{s.LinesFrom, s.LinesTo, s.Removed, s.Added})

	_, stdout, _ = use(laptop("/course"), "diff", "v0", "v0")
	assert.Equal(t, "v0 to v0: 0 of 10 lines go, 0 of 10 are new (0% of v0)\n", stdout)
}

func TestInspectReadsStandardInput(t *testing.T) {
	c := laptop("/")
	c.stdin = strings.NewReader(".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n\tbar.sync 0;\n\tret;\n}\n")
	status, stdout, stderr := use(c, "inspect", "-")
	require.Zero(t, status, stderr)
	golden(t, "inspect.txt", []byte(stdout))

	c.stdin = strings.NewReader("\x7fELF")
	status, _, stderr = use(c, "inspect", "-")
	assert.Equal(t, 1, status)
	assert.Equal(t, "lesson inspect: machine code is read from a file, not from the standard input\n", stderr)
}

// TestInspectJudges: a bad kernel is printed and is status 1, as JSON too.
func TestInspectJudges(t *testing.T) {
	c := laptop("/")
	const bad = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n.shared .align 8 .b64 b;\n\tmbarrier.init.shared::cta.b64 [b], 1;\n}\n"
	c.stdin = strings.NewReader(bad)
	status, stdout, stderr := use(c, "inspect", "-")
	assert.Equal(t, 1, status)
	assert.Contains(t, stdout, "  bad   mbarrier.init without a fence")
	assert.Empty(t, stderr)
	c.stdin = strings.NewReader(bad)
	status, stdout, _ = use(c, "inspect", "-", "-json")
	assert.Equal(t, 1, status)
	assert.True(t, json.Valid([]byte(stdout)), "%s", stdout)
}

func TestDoctor(t *testing.T) {
	status, stdout, stderr := use(laptop("/"), "doctor")
	assert.Zero(t, status, "the emulator needs nothing: %s", stderr)
	assert.Contains(t, stdout, "This machine can run kernels on the emulator. It cannot ")
	_, stdout, _ = use(laptop("/"), "doctor", "-json")
	assert.True(t, json.Valid([]byte(stdout)))
}

func TestSuggestion(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"lits", ": did you mean list?"}, {"bemch", ": did you mean bench?"}, {"v", ""}, {"profiler", ": did you mean profile?"}, {"zzzz", ""},
	} {
		assert.Equal(t, c.want, suggestion(c.name, []string{"list", "bench", "profile", "v1", "v2"}), c.name)
	}
	assert.Equal(t, 3, distance("kitten", "sitting"))
	assert.Equal(t, 4, distance("", "four"))
}

// runOf makes a runner of programs that looks at the arguments only.
func runOf(answer func(args []string) (string, error)) func(context.Context, string, ...string) (string, error) {
	return func(_ context.Context, _ string, args ...string) (string, error) { return answer(args) }
}
