package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/launch"
)

// withPTX is a computer with nvcc's PTX of a wrong kernel and its launches.
func withPTX(t *testing.T) *call {
	planted, err := os.ReadFile("../../pkg/hopper/emu/nvcctest/testdata/planted.lineinfo.ptx")
	require.NoError(t, err)
	c := laptop("/w")
	c.machine.Root = fstest.MapFS{
		"w/planted.ptx": {Data: planted},
		"w/launch.json": {Data: []byte(launch.Example)},
		"w/right.json":  {Data: []byte(`{"entry": "past_the_end", "grid": 1, "block": 32, "args": [{"buffer": {"bytes": 160}}, {"s32": 39}]}`)},
		"w/wrong.json":  {Data: []byte(`{"grid": 1, "block": 32, "arg": []}`)},
	}
	c.stdin = strings.NewReader(string(planted))
	return c
}

func TestSanitize(t *testing.T) {
	for _, c := range []struct {
		args           string
		status         int
		stdout, stderr string // parts
	}{
		{"planted.ptx -launch launch.json", 1, "\nwrong_bytes: 2 findings under 1 seed\n", ""},
		{"- -launch launch.json", 1, "called at planted.cu:26 (ptx line 131)", ""},
		{"planted.ptx -launch launch.json -show 1", 1, "1 more are over the limit of findings shown; -show raises it\n", ""},
		{"planted.ptx -launch right.json -seeds 3", 0, "past_the_end: 0 findings under 3 seeds\n", ""},
		{"-example", 0, launch.Example, ""},
		{"", 2, "", "lesson sanitize: give one PTX file\n"},
		{"planted.ptx", 2, "", "lesson sanitize: describe the launch: -launch FILE.json; lesson sanitize -example prints one\n"},
		{"planted.ptx -launch launch.json -timeout 0", 2, "", "lesson sanitize: -seeds, at most 10000, and the limits are above 0\n"},
		{"none.ptx -launch launch.json", 2, "", "lesson sanitize: /w/none.ptx cannot be read: file does not exist\n"},
		{"planted.ptx -launch none.json", 2, "", "lesson sanitize: /w/none.json cannot be read: file does not exist\n"},
		{"planted.ptx -launch wrong.json", 2, "", "lesson sanitize: wrong.json: arg: this field is not known; known here are entry, "},
		{"launch.json -launch launch.json", 2, "", "lesson sanitize: launch.json:1:1: found \"{\", expected \".version\""},
		{"planted.ptx -launch launch.json -timeout 1ns", 2, "", "lesson sanitize: the limit of time, 1ns, is up: launch fewer CTAs, or take fewer seeds; -timeout raises it\n"},
		{"planted.ptx -launch launch.json -instructions 1", 2, "[budget]", "lesson sanitize: the limit of 1 instructions for a cluster was met: a loop does not end, or needs more; -instructions raises it\n"},
	} {
		t.Run(c.args, func(t *testing.T) {
			status, stdout, stderr := use(withPTX(t), append([]string{"sanitize"}, strings.Fields(c.args)...)...)
			assert.Equal(t, c.status, status)
			assert.Contains(t, stdout, c.stdout)
			assert.Contains(t, stderr, c.stderr)
			assert.Equal(t, c.stdout == "", stdout == "", "%s", stdout)
			assert.Equal(t, c.stderr == "", stderr == "", "%s", stderr)
		})
	}
}

func TestSanitizeJSON(t *testing.T) {
	for file, status := range map[string]int{"launch.json": 1, "right.json": 0} {
		got, stdout, stderr := use(withPTX(t), "sanitize", "planted.ptx", "-launch", file, "-json", "-seeds", "2")
		assert.Equal(t, status, got, stderr)
		var r launch.Report
		require.NoError(t, json.Unmarshal([]byte(stdout), &r))
		assert.Equal(t, []int64{1, 2}, r.Seeds)
		assert.Len(t, r.Findings, 2*status)
		assert.NotContains(t, stdout, "null", "a list without entries is a list")
	}
}
