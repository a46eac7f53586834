package launch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/event"
)

// roomy are limits that no kernel here meets.
var roomy = Limits{Time: time.Minute, Memory: 1 << 30, Instructions: 10_000_000}

// nvcc reads a file of what nvcc made.
func nvcc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../pkg/hopper/emu/nvcctest/testdata", name))
	require.NoError(t, err)
	return string(text)
}

// line is where text stands in planted.cu.
func line(t *testing.T, text string) string {
	before, _, ok := strings.Cut(nvcc(t, "planted.cu"), text)
	require.True(t, ok, text)
	return fmt.Sprintf("planted.cu:%d", 1+strings.Count(before, "\n"))
}

func described(t *testing.T, text string) *Description {
	d, err := Parse([]byte(text))
	require.NoError(t, err)
	return d
}

// blamed is the line of the outermost function that led to a place.
func blamed(p event.Place) string {
	all := append([]string{p.Source}, p.Calls...)
	return all[len(all)-1]
}

// TestPlanted: the bugs of planted.cu are found, at their lines.
func TestPlanted(t *testing.T) {
	for _, c := range []struct{ name, launch, rule, at string }{
		{"a store past the end", `{"entry": "past_the_end", "grid": 2, "block": 32, "seeds": [1, 2], "args": [{"buffer": {"bytes": 160}}, {"s32": 40}]}`,
			"out-of-bounds", "planted: i may be n"},
		{"a wait for bytes that do not come", Example, "stuck", "planted: this waits"},
		{"a count of twice the box", Example, "mbarrier-bytes", "planted: twice the box"},
		{"an assertion", `{"entry": "asserts", "grid": 1, "block": 32, "args": [{"buffer": {"bytes": 128}}]}`,
			"assert", "planted: one thread fails"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := described(t, c.launch)
			r, err := Run(t.Context(), "planted.ptx", nvcc(t, "planted.lineinfo.ptx"), d, roomy)
			require.NoError(t, err)
			var at []string
			for _, f := range r.Findings {
				if f.Rule == c.rule {
					at = append(at, blamed(f.At))
					assert.Equal(t, d.Seeds, f.Seeds, "every seed finds it, once")
				}
			}
			assert.Equal(t, []string{line(t, c.at)}, at)
		})
	}
}

// TestClean: correct kernels have no finding.
func TestClean(t *testing.T) {
	for _, c := range []struct{ name, launch string }{
		{"matmul", `{"grid": [2, 2], "block": [16, 16], "seeds": [1, 2, 3], "args": [
			{"buffer": {"count": 600, "type": "f32", "fill": "normal"}}, {"buffer": {"count": 600, "type": "f32", "fill": "index"}},
			{"buffer": {"count": 900, "type": "f32"}}, {"s32": 30}, {"s32": 30}, {"s32": 20}]}`},
		{"tma", `{"entry": "load_tile", "grid": [3, 3], "block": 64, "seeds": [1, 2, 3], "args": [
			{"map": {"buffer": {"count": 1512, "type": "f32", "fill": "normal"}, "Type": "f32", "Dims": [72, 21], "Strides": [288], "Box": [32, 8]}},
			{"buffer": {"count": 2016, "type": "f32"}}, {"s32": 21}, {"s32": 96}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Run(t.Context(), c.name, nvcc(t, c.name+".lineinfo.ptx"), described(t, c.launch), roomy)
			require.NoError(t, err)
			assert.Empty(t, r.Findings)
			assert.Equal(t, []int64{1, 2, 3}, r.Seeds)
		})
	}
}

// TestSharedBuffer: a map may be of another argument's buffer, from an offset
// on, whichever comes first.
func TestSharedBuffer(t *testing.T) {
	const launch = `{"entry": "load_tile", "grid": 1, "block": 32, "args": [
		{"map": {"buffer": 1, "Address": %d, "Type": "f32", "Dims": [32, 8], "Strides": [128], "Box": [32, 8]}},
		{"buffer": {"count": 512, "type": "f32", "fill": "zero"}}, {"s32": 8}, {"s32": 32}]}`
	for offset, rules := range map[int]int{1024: 0, 1040: 1} {
		r, err := Run(t.Context(), "tma", nvcc(t, "tma.lineinfo.ptx"), described(t, fmt.Sprintf(launch, offset)), roomy)
		require.NoError(t, err)
		assert.Len(t, r.Findings, rules, "offset %d: %v", offset, r.Findings)
	}
}

const head = ".version 8.6\n.target sm_90a\n.address_size 64\n"

// empty is a kernel that does nothing, with declarations around and in it.
func empty(outside, inside string) string {
	return head + outside + "\n.visible .entry k()\n{\n" + inside + "\n\tret;\n}\n"
}

// endless is a kernel that works for a long time.
var endless = empty(".global .u32 g;", "\t.reg .u32 %a;\n\t.reg .pred %p;\n\tmov.u32 %a, 0;\nL:\n\tadd.u32 %a, %a, 1;\n\tst.global.u32 [g], %a;\n\tsetp.ne.u32 %p, %a, 0;\n\t@%p bra L;")

// TestLimits: each limit is met, and named.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, text, launch string
		limit              func(*Limits)
		want               string
	}{
		{"time", endless, "", func(l *Limits) { l.Time = time.Nanosecond }, "the limit of time, 1ns, is up: launch fewer CTAs, or take fewer seeds"},
		{"instructions", endless, "", func(l *Limits) { l.Instructions = 1000 },
			"the limit of 1000 instructions for a cluster was met: a loop does not end, or needs more"},
		{"memory of a buffer", empty("", ""), `{"grid": 1, "block": 32, "args": [{"buffer": {"bytes": 1000}}, {"s32": 1}]}`, func(l *Limits) { l.Memory = 999 },
			"the buffers have 1000 bytes, and the limit of memory is 999"},
		{"memory of a variable", empty(".global .b8 a[4294967296][4294967296];", ""), "", nil,
			"the buffers and variables have 9223372036854775807 bytes, and the limit of memory is 1073741824"},
		{"memory of an alignment", empty(".const .align 1099511627776 .b8 a[1];", ""), "", nil,
			"the buffers and variables have 1099511627777 bytes, and the limit of memory is 1073741824"},
		{"memory of a variable inside", empty("", "{ .local .b8 a[2000000000]; }"), "", nil,
			"the buffers and variables have 2000000000 bytes, and the limit of memory is 1073741824"},
		{"memory of the parameters", head + ".visible .entry k(.param .b8 a[2000000000])\n{\n\tret;\n}\n", "", nil,
			"the buffers and variables have 2000000000 bytes, and the limit of memory is 1073741824"},
		{"memory of all threads", empty("", "\t.local .b8 a[1048576];"), `{"grid": [8, 8], "block": 1024}`, nil,
			"the local memory of all threads has 68719476736 bytes, and the limit of memory is 1073741824"},
		{"CTAs", empty("", ""), `{"grid": [2147483647, 2147483647, 2147483647], "block": 32}`, nil,
			"the grid [2147483647 2147483647 2147483647] is over the limit of 65536 CTAs; a smaller one runs the same code"},
		{"text", strings.Repeat(" ", mostPTX+1), "", nil, "x.ptx has 16777217 bytes; the limit is 16777216"},
	} {
		t.Run(c.name, func(t *testing.T) {
			launch, limits := c.launch, roomy
			if launch == "" {
				launch = `{"grid": 1, "block": 32}`
			}
			if c.limit != nil {
				c.limit(&limits)
			}
			_, err := Run(t.Context(), "x.ptx", c.text, described(t, launch), limits)
			require.EqualError(t, err, c.want)
		})
	}
}

// TestMemoryOfTheProcess: what was not foreseen is watched.
func TestMemoryOfTheProcess(t *testing.T) {
	runtime.GC() // before the first collection nothing is known to be live
	err := Limits{Time: time.Minute, Memory: 1}.within(t.Context(), make(chan struct{}))
	require.ErrorContains(t, err, "the emulator holds ")
	require.ErrorContains(t, err, " bytes, and the limit of memory is 1")
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, roomy.within(ctx, make(chan struct{})), context.Canceled)
}

// TestRefused: what cannot be run is an error with its place, and nothing runs.
func TestRefused(t *testing.T) {
	const launch = `{"grid": 1, "block": 32}`
	for _, c := range []struct{ name, text, launch, want string }{
		{"no PTX", "module", launch, `x.ptx:1:1: found "module", expected ".version"`},
		{"no kernel", head, launch, `x.ptx: it has no kernel (.entry)`},
		{"two kernels", nvcc(t, "refused.ptx"), launch, `x.ptx: it has 2 kernels; say in the launch which one is the entry: texture, fine`},
		{"another kernel", empty("", ""), `{"grid": 1, "block": 32, "entry": "l"}`, `x.ptx: it has no kernel "l"; it has k`},
		{"an instruction of another world", nvcc(t, "refused.lineinfo.ptx"), `{"grid": 1, "block": 32, "entry": "texture"}`,
			"called at refused.cu:5): the emulator does not know tex.1d.v4.f32.s32; it has no texture unit"},
		{"its PTX line", nvcc(t, "refused.lineinfo.ptx"), `{"grid": 1, "block": 32, "entry": "texture"}`, `x.ptx:35:2 (`},
		{"no threads", empty("", ""), `{"grid": 1, "block": 2048}`, `launch of k: block x is 2048; it must be 1 to 1024`},
		{"arguments", empty("", ""), `{"grid": 1, "block": 32, "args": [{"s32": 1}]}`, `launch of k: 1 arguments for 0 parameters`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Run(t.Context(), "x.ptx", c.text, described(t, c.launch), roomy)
			require.ErrorContains(t, err, c.want)
			assert.Empty(t, r.Seeds)
		})
	}
}

// TestReport: findings of several seeds become one, and the rest is counted.
func TestReport(t *testing.T) {
	at := func(line int) event.Finding {
		f := event.Finding{Rule: "race", Severity: event.Error, Message: "wrong", Count: 2}
		f.At.Pos.Line, f.At.Warp = line, -1
		return f
	}
	r := &Report{Entry: "k"}
	r.add(4, []event.Finding{at(7), at(8)})
	r.add(6, []event.Finding{at(8), at(9)})
	require.Len(t, r.Findings, 3)
	assert.Equal(t, []int64{4, 6}, r.Findings[1].Seeds)
	assert.Equal(t, 4, r.Findings[1].Count)
	r.Cut(2)
	var b bytes.Buffer
	require.NoError(t, r.Print(&b, "-show raises it"))
	assert.Equal(t, `error: wrong [race]
  at ptx line 7
  seen 2 times; this is the first
  rule: docs/rules.md#race
  under 1 of 2 seeds, first 4

error: wrong [race]
  at ptx line 8
  seen 4 times; this is the first
  rule: docs/rules.md#race
  under 2 of 2 seeds, first 4

1 more are over the limit of findings shown; -show raises it
k: 3 findings under 2 seeds
`, b.String())
	text, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"left_out":1`)
	assert.Contains(t, string(text), `"rule":"race"`)
}

// TestPage: the page about it shows the example and what is found.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/your-own-ptx.md")
	require.NoError(t, err)
	assert.Contains(t, string(page), "```json\n"+Example+"```")
	d := described(t, Example)
	d.Consecutive(3)
	r, err := Run(t.Context(), "planted.ptx", nvcc(t, "planted.lineinfo.ptx"), d, roomy)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, r.Print(&b, "-show raises it"))
	assert.Contains(t, string(page), "\n"+b.String()+"```")
	for before, planted := range map[string]string{"a hang at the wait in line ": "planted: this waits", "its cause: line ": "planted: twice the box"} {
		assert.Contains(t, string(page), before+strings.TrimPrefix(line(t, planted), "planted.cu:"))
	}
}
