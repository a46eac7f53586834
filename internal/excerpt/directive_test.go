package excerpt

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/report"
)

func TestDirectives(t *testing.T) {
	got := Directives(`# A page

See [the loop](kernel.go#loop), [the
file](kernel.go), [a section](#later), [another lesson](../v1/lesson.md#loop) and
[PTX](https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#wgmma). It has [n](testdata/counts.txt#wgmma) of
them, [at this
speed](../../plots/data/x.json#v6/f16/1x8x8/tflops).
`)
	assert.Equal(t, []Directive{
		{Label: "the loop", File: "kernel.go", Fragment: "loop", Line: 3},
		{Label: "n", File: "testdata/counts.txt", Fragment: "wgmma", Line: 5},
		{Label: "at this\nspeed", File: "../../plots/data/x.json", Fragment: "v6/f16/1x8x8/tflops", Line: 7},
	}, got)
}

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"kernel.go": "//region loop\nx\n//endregion loop\n", "kernel.ptx": kernel, "counts.txt": "3 bar.sync\n",
		"noted.json": noted,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	require.NoError(t, report.Write(filepath.Join(dir, "run.json"), []report.Result{emulated()}))
	for _, c := range []struct {
		file, fragment string
		want           Lines
	}{
		{"kernel.go", "loop", Lines{"x\n", 2}},
		{"kernel.ptx", "ret", Lines{"ret;\n", 10}},
		{"counts.txt", "bar", Lines{"3", 0}},
		{"run.json", "v0/f16/64x64x64/device", Lines{"emulator", 0}},
		{"noted.json", "v7/clock_ghz", Lines{"1.530", 0}},
	} {
		got, err := Directive{File: c.file, Fragment: c.fragment}.Resolve(dir)
		require.NoError(t, err, c.file)
		assert.Equal(t, c.want, got, c.file)
	}
	_, err := Directive{File: "figure.svg", Fragment: "x"}.Resolve(dir)
	assert.ErrorContains(t, err, "figure.svg#x: only .go, .ptx, .txt and .json files have pieces")
	_, err = Directive{File: "kernel.go", Fragment: "gone"}.Resolve(dir)
	assert.ErrorContains(t, err, `has no region "gone"`, "a page that names what is missing must not be built")
}
