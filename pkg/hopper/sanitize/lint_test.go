package sanitize

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// lintOf is what is found in a body. In it, FENCE, COMMIT and WAIT n stand for
// the instructions of wgmma, and MUL for a product into %f0 to %f3.
func lintOf(t *testing.T, body string) []event.Finding {
	body = strings.NewReplacer(
		"FENCE", "wgmma.fence.sync.aligned;", "COMMIT", "wgmma.commit_group.sync.aligned;",
		"WAIT", "wgmma.wait_group.sync.aligned",
		"MUL", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, %p0, 1, 1, 0, 0;",
	).Replace(body)
	m, err := ptx.Parse(".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n" +
		".reg .f32 %f<8>; .reg .b64 %rd<4>; .reg .pred %p<4>; .reg .b32 %r<4>;" + body + "\nret;\n}\n")
	require.NoError(t, err)
	return lint(event.Launch{Module: m, Entry: m.Decls[0].(*ptx.Func)})
}

// linted is the rules that a body breaks.
func linted(t *testing.T, body string) (broken []string) {
	for _, f := range lintOf(t, body) {
		broken = append(broken, f.Rule)
	}
	return broken
}

// TestLintPlaces: a finding names the wgmma and what stands in its way.
func TestLintPlaces(t *testing.T) {
	for _, c := range []struct{ why, body, rule, at, other string }{
		{"the write before the first product", "mov.f32 %f1, 0f00000000; MUL COMMIT WAIT 0;", WgmmaFence, "wgmma.mma_async", "mov.f32 %f1"},
		{"the write behind the fence", "mov.f32 %f1, %f4; FENCE add.f32 %f2, %f4, %f5; MUL COMMIT WAIT 0;", WgmmaFence, "wgmma.mma_async", "add.f32 %f2"},
		{"the first of several", "FENCE\nsub.f32 %f3, %f4, %f5;\nadd.f32 %f0, %f4, %f5; MUL COMMIT WAIT 0;", WgmmaFence, "wgmma.mma_async", "sub.f32 %f3"},
		{"the first of both ways", "FENCE @%p1 bra L; sub.f32 %f3, %f4, %f5; bra M;\nL: add.f32 %f0, %f4, %f5;\nM: MUL COMMIT WAIT 0;", WgmmaFence, "wgmma.mma_async", "sub.f32 %f3"},
		{"no write at all", "MUL COMMIT WAIT 0;", WgmmaFence, "wgmma.mma_async", ""},
		{"the product under way", "FENCE MUL COMMIT mov.f32 %f4, %f0; WAIT 0;", Accumulator, "mov.f32 %f4", "wgmma.mma_async"},
	} {
		t.Run(c.why, func(t *testing.T) {
			list := lintOf(t, c.body)
			require.Len(t, list, 1)
			f := list[0]
			assert.Equal(t, c.rule, f.Rule)
			assert.Contains(t, f.At.Text, c.at)
			if c.other == "" {
				assert.Empty(t, f.Other)
				return
			}
			require.Len(t, f.Other, 1)
			assert.Contains(t, f.Other[0].Text, c.other)
		})
	}
}

func TestLint(t *testing.T) {
	for _, c := range []struct {
		why, body string
		want      []string
	}{
		{"as it should be", "FENCE MUL COMMIT WAIT 0; add.f32 %f0, %f0, %f0;", nil},
		{"no fence", "MUL COMMIT WAIT 0;", []string{WgmmaFence}},
		{"no fence after the accumulator is set", "FENCE add.f32 %f0, %f4, %f4; MUL COMMIT WAIT 0;", []string{WgmmaFence}},
		{"a copy of what was there before the fence", "add.f32 %f5, %f4, %f4; FENCE mov.f32 %f6, %f5; mov.f32 %f0, %f6; MUL COMMIT WAIT 0;", nil},
		{"a copy of what was made behind the fence", "FENCE add.f32 %f5, %f4, %f4; mov.f32 %f6, %f5; mov.f32 %f0, %f6; MUL COMMIT WAIT 0;", []string{WgmmaFence}},
		{"a copy over what was made behind the fence", "FENCE add.f32 %f0, %f4, %f4; mov.f32 %f0, %f5; MUL COMMIT WAIT 0;", nil},
		{"a copy that may not happen", "FENCE add.f32 %f0, %f4, %f4; @%p1 mov.f32 %f0, %f5; MUL COMMIT WAIT 0;", []string{WgmmaFence}},
		{"a constant behind the fence", "FENCE mov.f32 %f0, 0f00000000; MUL COMMIT WAIT 0;", []string{WgmmaFence}},
		{"a fence on one way only", "@%p1 bra L; FENCE\nL: MUL COMMIT WAIT 0;", []string{WgmmaFence}},
		{"touched before the wait", "FENCE MUL COMMIT mov.f32 %f4, %f0; WAIT 0;", []string{Accumulator}},
		{"touched though never committed", "FENCE MUL WAIT 0; mov.f32 %f4, %f0;", []string{Accumulator}},
		{"another register", "FENCE MUL COMMIT mov.f32 %f4, %f5; WAIT 0;", nil},
		{"the wait leaves this group", "FENCE MUL COMMIT WAIT 1; mov.f32 %f4, %f0;", []string{Accumulator}},
		{"the wait leaves the one after it", "FENCE MUL COMMIT FENCE COMMIT WAIT 1; mov.f32 %f4, %f0;", nil},
		{"chained products need no wait", "FENCE MUL MUL COMMIT FENCE MUL COMMIT WAIT 0;", nil},
		{"in flight round a loop", "L: FENCE MUL COMMIT WAIT 1; @%p1 bra L; WAIT 0; mov.f32 %f4, %f0;", nil},
		{"touched in the next turn of a loop", "FENCE\nL: @%p2 mov.f32 %f4, %f0; FENCE MUL COMMIT WAIT 1; @%p1 bra L; WAIT 0;", []string{Accumulator}},
		{"a register of the same name in an inner block is another", "FENCE MUL COMMIT { .reg .f32 %f<2>; mov.f32 %f0, %f1; } WAIT 0;", nil},
		{"labels of inner blocks are their own", "{ L: @%p1 bra L; } FENCE MUL COMMIT { L: @%p1 bra L; } WAIT 0; mov.f32 %f4, %f0;", nil},
		{"after a branch away nothing is in flight", "FENCE MUL COMMIT bra DONE; mov.f32 %f4, %f0;\nDONE: WAIT 0;", nil},
		{"no wgmma at all", "mov.f32 %f4, %f0;", nil},
	} {
		t.Run(c.why, func(t *testing.T) { assert.Equal(t, c.want, linted(t, c.body)) })
	}
}
