package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/launch"
	"gohopper/pkg/hopper/num"
)

var update = flag.Bool("update", false, "rewrite what the page's examples lead to")

const examples = "../examples"

// example reads an example as the page sends it.
func example(t *testing.T, name string) request {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examples, name+".ptx"))
	require.NoError(t, err)
	described, err := os.ReadFile(filepath.Join(examples, name+".json"))
	require.NoError(t, err)
	return request{string(text), string(described)}
}

// ask sends a request through the program.
func ask(t *testing.T, r request) answer {
	t.Helper()
	text, err := json.Marshal(r)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, serve(bytes.NewReader(text), &out))
	assert.NotContains(t, strings.Replace(out.String(), `"report":null`, "", 1), "null", "a list without entries is a list")
	var a answer
	require.NoError(t, json.Unmarshal(out.Bytes(), &a))
	return a
}

// lineOf is the only line of PTX that begins with some text, from 1.
func lineOf(t *testing.T, r request, text string) int {
	t.Helper()
	found := 0
	for i, line := range strings.Split(r.PTX, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), text) {
			require.Zero(t, found, "%q is on two lines", text)
			found = i + 1
		}
	}
	require.NotZero(t, found, "%q is on no line", text)
	return found
}

// without leaves the line out that begins with some text.
func without(t *testing.T, r request, text string) request {
	lines := strings.Split(r.PTX, "\n")
	i := lineOf(t, r, text) - 1
	return request{strings.Join(append(lines[:i:i], lines[i+1:]...), "\n"), r.Launch}
}

// found is a finding, shortly: its rule and what its places begin with.
type found struct {
	rule      string
	at, other string
}

// TestExamples: each example has the findings that it is there for, at their
// lines, and what is recorded of it is what the program says.
func TestExamples(t *testing.T) {
	expected := map[string][]found{
		"add":   nil, // right
		"tma":   nil, // right
		"fence": {{"proxy-fence", "cp.async.bulk.tensor.2d.global", "st.shared.f32"}},
		"bytes": {{"mbarrier-bytes", "mbarrier.arrive.expect_tx", "cp.async.bulk.tensor.2d.shared"}, {"stuck", "mbarrier.try_wait", ""}},
		"wgmma": nil, // right
	}
	files, err := filepath.Glob(filepath.Join(examples, "*.ptx"))
	require.NoError(t, err)
	require.Len(t, files, len(expected))
	for name, want := range expected {
		t.Run(name, func(t *testing.T) {
			r := example(t, name)
			a := ask(t, r)
			require.Empty(t, a.Mistakes)
			require.NotNil(t, a.Report)
			require.Len(t, a.Report.Findings, len(want), "%s", a.Text)
			for i, w := range want {
				f := a.Report.Findings[i]
				assert.Equal(t, w.rule, f.Rule)
				assert.Equal(t, lineOf(t, r, w.at), f.At.Pos.Line, w.at)
				assert.Equal(t, a.Report.Seeds, f.Seeds, "every seed finds it")
				if w.other == "" {
					assert.Empty(t, f.Other)
					continue
				}
				require.Len(t, f.Other, 1)
				assert.Equal(t, lineOf(t, r, w.other), f.Other[0].Pos.Line, w.other)
			}
			file := filepath.Join(examples, name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(a.Text), 0o644))
			}
			recorded, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(recorded), a.Text, "run with -update if the change is meant")
		})
	}
}

// TestInvitations: what an example's comment asks a reader to try is found.
func TestInvitations(t *testing.T) {
	for _, c := range []struct{ name, line, rule string }{
		{"add", "@%over bra", "out-of-bounds"},
		{"tma", "fence.proxy.async", "proxy-fence"},
		{"wgmma", "wgmma.fence", "wgmma-fence"},
		{"wgmma", "wgmma.wait_group", "accumulator"},
	} {
		t.Run(c.name+" without "+c.line, func(t *testing.T) {
			a := ask(t, without(t, example(t, c.name), c.line))
			require.NotNil(t, a.Report, "%s", a.Text)
			var rules []string
			for _, f := range a.Report.Findings {
				rules = append(rules, f.Rule)
			}
			assert.Contains(t, rules, c.rule)
		})
	}
}

// normal is the elements of a buffer filled with normal values.
func normal(seed uint64, n int, f num.Format) []float64 {
	random := rand.New(rand.NewPCG(seed, 0))
	all := make([]float64, n)
	for i := range all {
		all[i] = f.Decode(f.Encode(random.NormFloat64()))
	}
	return all
}

// TestResults: the right examples are right, as far as an answer shows.
func TestResults(t *testing.T) {
	b := normal(1, 8, num.FormatF32)
	sums := ask(t, example(t, "add")).Report.Buffers[2]
	assert.Equal(t, 150, sums.Changed)
	for i, text := range sums.First {
		assert.InDelta(t, float64(i)+b[i], parse(t, text), 1e-6)
	}

	tiles := ask(t, example(t, "tma")).Report
	assert.Equal(t, []string{"1", "2", "3", "4", "5", "6", "7", "8"}, tiles.Buffers[1].First)
	assert.Contains(t, tiles.Counts, launch.Count{What: "bulk copies into shared memory", Times: 4, Bytes: 4096})
	assert.Contains(t, tiles.Counts, launch.Count{What: "phases of mbarriers completed", Times: 4})

	left, right := normal(1, 64*16, num.FormatF16), normal(2, 8*16, num.FormatF16)
	product := ask(t, example(t, "wgmma")).Report
	for column, text := range product.Buffers[2].First {
		want := 0.0
		for k := range 16 {
			want += left[k] * right[column*16+k]
		}
		assert.InDelta(t, want, parse(t, text), 1e-4, "column %d of the first row", column)
	}
	assert.Contains(t, product.Counts, launch.Count{What: "wgmma", Times: 1})
}

func parse(t *testing.T, text string) (v float64) {
	_, err := fmt.Sscan(text, &v)
	require.NoError(t, err)
	return v
}

const (
	head   = ".version 8.6\n.target sm_90a\n.address_size 64\n"
	simple = `{"grid": 1, "block": 32}`
)

// kernel is a kernel of one instruction, which stands in line 7.
func kernel(instruction string) string {
	return head + ".visible .entry k()\n{\n\t.reg .b32 %a;\n\t" + instruction + "\n\tret;\n}\n"
}

// TestMistakes: what cannot be run is told with its text and its line, and
// nothing runs.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		why  string
		r    request
		want mistake // its message is a part
	}{
		{"no PTX at all", request{"", simple}, mistake{inPTX, 1, 1, `expected ".version"`}},
		{"a syntax error", request{kernel("add.u32 %a, %a 1;"), simple}, mistake{inPTX, 7, 17, ""}},
		{"an instruction of another GPU", request{kernel("tcgen05.fence::before_thread_sync;"), simple}, mistake{inPTX, 7, 2, "needs an architecture-specific target"}},
		{"an instruction that the emulator does not know", request{kernel("{ .reg .f32 %f<4>; .reg .b64 %t; tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%t, {%a}]; }"), simple},
			mistake{inPTX, 7, 35, "does not know tex.1d.v4.f32.s32"}},
		{"a register that is not declared", request{kernel("mov.u32 %b, 1;"), simple}, mistake{inPTX, 7, 2, "%b"}},
		{"no kernel", request{head, simple}, mistake{inPTX, 0, 0, "it has no kernel (.entry)"}},
		{"no JSON", request{kernel(""), "{\n  \"grid\": 1,\n  block\n}"}, mistake{inLaunch, 3, 3, "this is no JSON"}},
		{"an unknown field", request{kernel(""), "{\n  \"grid\": 1, \"block\": 32,\n  \"smem\": 0\n}"}, mistake{inLaunch, 3, 11, "smem: this field is not known"}},
		{"an argument deep in a list", request{kernel(""), "{\"grid\": 1, \"block\": 32, \"args\": [\n  {\"s32\": 1},\n  {\"buffer\": {\"count\": 4, \"type\": \"f31\"}}\n]}"},
			mistake{inLaunch, 3, 35, `args[1].buffer.type: "f31" is none of`}},
		{"too many threads", request{kernel(""), `{"grid": 1, "block": 2048}`}, mistake{"", 0, 0, "block x is 2048"}},
		{"more memory than the page gives", request{kernel(""), `{"grid": 1, "block": 32, "args": [{"buffer": {"bytes": 300000000}}]}`},
			mistake{"", 0, 0, "the buffers have 300000000 bytes, and the limit of memory is 134217728"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			a := ask(t, c.r)
			assert.Nil(t, a.Report)
			require.Len(t, a.Mistakes, 1, "%s", a.Text)
			m := a.Mistakes[0]
			assert.Contains(t, m.Message, c.want.Message)
			assert.NotContains(t, m.Message, "raises it", "the page has no flags")
			m.Message, c.want.Message = "", ""
			assert.Equal(t, c.want, m, "%s", a.Text)
			assert.Contains(t, a.Text, a.Mistakes[0].Message)
		})
	}
}

// TestSeveralMistakes: all are told, each with its line, up to a limit.
func TestSeveralMistakes(t *testing.T) {
	a := ask(t, request{kernel("mov.u32 %b, 1;\n\tmov.u32 %c, 1;"), simple})
	require.Len(t, a.Mistakes, 2, "%s", a.Text)
	assert.Equal(t, []int{7, 8}, []int{a.Mistakes[0].Line, a.Mistakes[1].Line})

	a = ask(t, request{kernel(strings.Repeat("mov.u32 %b, 1;\n\t", 50)), simple})
	require.Len(t, a.Mistakes, mostShown+1)
	assert.Equal(t, "30 more mistakes are not shown", a.Mistakes[mostShown].Message)

	list := mistakes("", errors.New("ptx:3:4 (k.cu:5): one\n\tmore of it\nptx: two"))
	assert.Equal(t, []mistake{{inPTX, 3, 4, "(k.cu:5): one\n\tmore of it"}, {inPTX, 0, 0, "two"}}, list)
}

// TestLimit: a loop without an end meets the limit of instructions; what was
// found until there is kept.
func TestLimit(t *testing.T) {
	l := limits()
	l.Instructions = 1000
	a := request{kernel("L: add.u32 %a, 1, 1;\n\tbra L;"), simple}.answer(l)
	require.Len(t, a.Mistakes, 1)
	assert.Equal(t, "the limit of 1000 instructions for a cluster was met: a loop does not end, or needs more", a.Mistakes[0].Message)
	require.NotNil(t, a.Report)
	require.Len(t, a.Report.Findings, 1)
	assert.Equal(t, "budget", a.Report.Findings[0].Rule)
}

// TestServeRefuses: a request that the page would not send.
func TestServeRefuses(t *testing.T) {
	var out bytes.Buffer
	assert.ErrorContains(t, serve(strings.NewReader("PTX"), &out), "the request is no JSON object with ptx and launch")
	assert.ErrorContains(t, serve(strings.NewReader(strings.Repeat(" ", mostRequest+1)), &out), "the request is over the limit of 4194304 bytes")
	assert.Empty(t, out.String())
}

// TestPageStatesLimits: the page's prose names the program's limits.
func TestPageStatesLimits(t *testing.T) {
	page, err := os.ReadFile("../templates/ptx.html")
	require.NoError(t, err)
	l := limits()
	assert.Contains(t, string(page), fmt.Sprintf("%d million instructions", l.Instructions/1_000_000))
	assert.Contains(t, string(page), fmt.Sprintf("%d MiB", l.Memory>>20))
}
