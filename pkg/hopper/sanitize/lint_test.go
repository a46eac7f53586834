package sanitize

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// linted is the rules that a body breaks, "rule line" each. In it, FENCE,
// COMMIT and WAIT n stand for the instructions of wgmma, and MUL for a product
// into %f0 to %f3.
func linted(t *testing.T, body string) (broken []string) {
	body = strings.NewReplacer(
		"FENCE", "wgmma.fence.sync.aligned;", "COMMIT", "wgmma.commit_group.sync.aligned;",
		"WAIT", "wgmma.wait_group.sync.aligned",
		"MUL", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, %p0, 1, 1, 0, 0;",
	).Replace(body)
	m, err := ptx.Parse(".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n" +
		".reg .f32 %f<8>; .reg .b64 %rd<4>; .reg .pred %p<4>; .reg .b32 %r<4>;" + body + "\nret;\n}\n")
	require.NoError(t, err)
	for _, f := range lint(event.Launch{Module: m, Entry: m.Decls[0].(*ptx.Func)}) {
		broken = append(broken, f.Rule)
	}
	return broken
}

func TestLint(t *testing.T) {
	for _, c := range []struct {
		why, body string
		want      []string
	}{
		{"as it should be", "FENCE MUL COMMIT WAIT 0; add.f32 %f0, %f0, %f0;", nil},
		{"no fence", "MUL COMMIT WAIT 0;", []string{WgmmaFence}},
		{"no fence after the accumulator is set", "FENCE mov.f32 %f0, %f4; MUL COMMIT WAIT 0;", []string{WgmmaFence}},
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
