package tma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// TestSwizzle checks the address bits one by one: PTX 5.5.7 names, for each
// mode, the bits that change and the higher bits that change them.
func TestSwizzle(t *testing.T) {
	for s, pairs := range map[device.Swizzle][][2]int{
		device.SwizzleNone: nil,
		device.Swizzle32B:  {{4, 7}},
		device.Swizzle64B:  {{4, 7}, {5, 8}},
		device.Swizzle128B: {{4, 7}, {5, 8}, {6, 9}},
	} {
		for a := range uint32(1 << 12) {
			want := a
			for _, p := range pairs {
				want ^= a >> p[1] & 1 << p[0]
			}
			require.Equal(t, want, Swizzle(s, a), "%v of %#x", s, a)
			require.Equal(t, a, Swizzle(s, want), "%v undoes itself", s)
		}
	}
}
