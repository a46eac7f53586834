package check

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/sanitize"
)

const race = `.version 8.6
.target sm_90a
.address_size 64
.shared .align 16 .b8 tile[16];
.visible .entry k()
{
	.reg .b32 %r<4>;
	mov.u32 %r0, tile;
	mov.u32 %r1, %tid.x;
	st.shared.u32 [%r0], %r1;
	ret;
}
`

func TestRun(t *testing.T) {
	one := device.Launch{Grid: [3]int{1, 1, 1}, Block: [3]int{64, 1, 1}}
	found, err := Kernel{Text: race, Entry: "k", Launch: one}.Run(1)
	require.NoError(t, err)
	require.NotEmpty(t, found)
	assert.Equal(t, sanitize.Race, found[0].Rule)

	for why, k := range map[string]Kernel{
		"text that is no PTX":        {Text: "x", Entry: "k", Launch: one},
		"an entry that is not there": {Text: race, Entry: "l", Launch: one},
		"a launch of nothing":        {Text: race, Entry: "k"},
		"arguments that fail": {Text: race, Entry: "k", Launch: one, Args: func(device.Device) ([]device.Arg, error) {
			return nil, errors.New("no")
		}},
	} {
		_, err := k.Run(1)
		assert.Error(t, err, why)
	}
}
