package tensor

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The formulas of PTX 9.7.14.5, element by element as the manual counts them:
// group is lane/4, thread is lane%4, i counts the elements of a lane.
func TestFragmentsAsTheManualGivesThem(t *testing.T) {
	upperHalf := func(cond bool) int {
		if cond {
			return 0
		}
		return 8
	}
	for _, c := range []struct {
		name      string
		t         Type
		registers int
		left      bool
		at        func(group, thread, i int) (row, k int)
	}{
		{"A m16n8k8 f16", F16, 2, true, func(g, t, i int) (int, int) { return g + upperHalf(i < 2), t*2 + i&1 }},
		{"A m16n8k16 bf16", BF16, 4, true, func(g, t, i int) (int, int) {
			return g + upperHalf(i < 2 || 4 <= i && i < 6), t*2 + i&1 + upperHalf(i < 4)
		}},
		{"A m16n8k4 tf32", TF32, 2, true, func(g, t, i int) (int, int) { return g + upperHalf(i == 0), t }},
		{"A m16n8k8 tf32", TF32, 4, true, func(g, t, i int) (int, int) {
			return g + upperHalf(i == 0 || i == 2), t + upperHalf(i < 2)/2
		}},
		{"A m16n8k16 s8", S8, 2, true, func(g, t, i int) (int, int) { return g + upperHalf(i < 4), t*4 + i&3 }},
		{"A m16n8k32 e4m3", E4M3, 4, true, func(g, t, i int) (int, int) {
			return g + upperHalf(i < 4 || 8 <= i && i < 12), t*4 + i&3 + 2*upperHalf(i < 8)
		}},
		{"B m16n8k16 f16", F16, 2, false, func(g, t, i int) (int, int) { return g, t*2 + i&1 + upperHalf(i < 2) }},
		{"B m16n8k8 tf32", TF32, 2, false, func(g, t, i int) (int, int) { return g, t + upperHalf(i < 1)/2 }},
		{"B m16n8k32 u8", U8, 2, false, func(g, t, i int) (int, int) { return g, t*4 + i&3 + 2*upperHalf(i < 4) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			per := 4 / c.t.Bytes()
			for lane := range 32 {
				for i := range c.registers * per {
					row, k := c.t.RightAt(lane, i/per)
					if c.left {
						row, k = c.t.LeftAt(lane, i/per)
					}
					wantRow, wantK := c.at(lane/4, lane%4, i)
					require.Equal(t, [2]int{wantRow, wantK}, [2]int{row, k + i%per}, "lane %d element %d", lane, i)
				}
			}
		})
	}
	t.Run("D m16n8", func(t *testing.T) {
		for lane := range 32 {
			for i := range 4 {
				row, column := AccumulatorAt(lane, i)
				assert.Equal(t, [2]int{lane/4 + upperHalf(i < 2), lane%4*2 + i&1}, [2]int{row, column})
				row, column = HalfAccumulatorAt(lane, i/2)
				assert.Equal(t, [2]int{lane/4 + upperHalf(i < 2), lane%4*2 + i&1}, [2]int{row, column + i%2})
			}
		}
	})
}

// Every element has exactly one home.
func TestAccumulatorCoversTheStrip(t *testing.T) {
	for _, n := range []int{8, 24, 256} {
		whole, packed := map[[2]int]int{}, map[[2]int]int{}
		for lane := range 32 {
			for reg := range n / 2 {
				row, column := AccumulatorAt(lane, reg)
				whole[[2]int{row, column}]++
			}
			for reg := range n / 4 {
				row, column := HalfAccumulatorAt(lane, reg)
				packed[[2]int{row, column}]++
				packed[[2]int{row, column + 1}]++
			}
		}
		for row := range StripRows {
			for column := range n {
				require.Equal(t, 1, whole[[2]int{row, column}])
				require.Equal(t, 1, packed[[2]int{row, column}])
			}
		}
		require.Len(t, whole, 16*n)
		require.Len(t, packed, 16*n)
	}
}
