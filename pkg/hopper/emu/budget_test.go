package emu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A cluster that meets the limit of instructions is stopped and says so; one
// that ends in the very turn that takes it over the limit is not.
func TestBudget(t *testing.T) {
	const counting = `
	mov.u32 %r0, 0;
L:	add.u32 %r0, %r0, 1;
	st.global.u32 [%rd0], %r0;
	setp.ne.u32 %p0, %r0, 1000000;
	@%p0 bra L;
	ret;`
	_, found := newEmulation(t, Config{Budget: 1000}, 1).run(t, entry("", counting), threads(32))
	require.Len(t, found, 1)
	assert.Equal(t, "budget", found[0].Rule)
	assert.Contains(t, found[0].Message, "a cluster was stopped after 1000 instructions, its limit: warp 0 ")

	_, found = newEmulation(t, Config{Budget: 1}, 1).run(t, entry("", "\tret;"), threads(32))
	assert.Empty(t, found)
}
