package nvcctest

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// collatz is the number of steps to 1.
func collatz(n int32) (steps int32) {
	for n != 1 {
		if n%2 != 0 {
			n = 3*n + 1
		} else {
			n /= 2
		}
		steps++
	}
	return steps
}

func TestCalls(t *testing.T) {
	every(t, "control", func(r rig) {
		const threads = 40
		in := make([]int32, 5*threads)
		for i := range in {
			in[i] = int32(i*29%23) - 4
		}
		sums, products := r.blank(4*threads), r.blank(8*threads)
		means, steps := r.blank(4*threads), r.blank(4*threads)
		r.run("calls", grid(1, 1, threads), device.Pointer(r.put(in)), device.Pointer(sums), device.Pointer(products),
			device.Pointer(means), device.Pointer(steps))
		gotSums, gotProducts := get[int32](r, sums, threads), get[int64](r, products, threads)
		gotMeans, gotSteps := get[float32](r, means, threads), get[int32](r, steps, threads)
		for i := range threads {
			sum, product, mean := int32(0), int64(1), float32(0)
			for _, b := range in[5*i : 5*i+5] {
				if b >= 0 {
					sum, product, mean = sum+b, product*int64(b%3+1), mean*0.5+float32(b)
				}
			}
			require.Equal(r, sum, gotSums[i], "sum of thread %d", i)
			require.Equal(r, product, gotProducts[i], "product of thread %d", i)
			require.Equal(r, mean, gotMeans[i], "mean of thread %d", i)
			require.Equal(r, collatz(int32(i+1)), gotSteps[i], "steps of thread %d", i)
		}
	})
}

func TestSwitch(t *testing.T) {
	every(t, "control", func(r rig) {
		const threads = 64
		op, a := make([]int32, threads), make([]int32, threads)
		for i := range op {
			op[i], a[i] = int32(i*5%13)-1, int32(i*i+3)
		}
		out := r.blank(4 * threads)
		r.run("choose", grid(1, 1, threads), device.Pointer(r.put(op)), device.Pointer(r.put(a)), device.Pointer(out))
		for i, got := range get[int32](r, out, threads) {
			x := a[i]
			want := int32(-1)
			switch op[i] {
			case 0:
				want = x + 100
			case 1:
				want = x * x
			case 2:
				want = x << 3
			case 3:
				want = x / 7
			case 4:
				want = -x
			case 5:
				want = x ^ 0x55
			case 6:
				want = int32(bits.OnesCount32(uint32(x)))
			case 7, 8:
				want = x % 11
			case 9:
				want = int32(bits.LeadingZeros32(uint32(x)))
			}
			require.Equal(r, want, got, "thread %d: case %d of %d", i, op[i], x)
		}
	})
}

func TestLocalArray(t *testing.T) {
	every(t, "control", func(r rig) {
		const threads = 33
		in := make([]int32, 8*threads)
		for i := range in {
			in[i] = int32(i * 7919 % 1000)
		}
		out := r.blank(4 * len(in))
		r.run("sort8", grid(1, 1, threads), device.Pointer(r.put(in)), device.Pointer(out))
		for i := 0; i < len(in); i += 8 {
			slices.Sort(in[i : i+8])
		}
		require.Equal(r, in, get[int32](r, out, len(in)))
	})
}

func TestGenericPointers(t *testing.T) {
	every(t, "control", func(r rig) {
		const threads = 32
		global := r.put([]int32{10, 20, 30, 40, 50, 60})
		out := r.blank(4 * threads)
		r.run("pointers", grid(1, 1, threads), device.Pointer(global), device.Pointer(out))
		require.Equal(r, []int32{60, 50, 40, 30, 20, 10}, get[int32](r, global, 6))
		for i, got := range get[int32](r, out, threads) {
			want := int32(1 + 2 + 4) // what the pointers are found to be
			for j := range int32(6) {
				k := 5 - j
				want += (j + 1) * (k*k + int32(i) + 100 + k)
			}
			require.Equal(r, want, got, "thread %d", i)
		}
	})
}

func TestIndirectCalls(t *testing.T) {
	every(t, "control", func(r rig) {
		const threads = 32
		which := make([]int32, 4*threads)
		for i := range which {
			which[i] = int32(i * i % 7 % 3)
		}
		out := r.blank(4 * threads)
		r.run("indirect", grid(1, 1, threads), device.Pointer(r.put(which)), device.Pointer(out))
		for i, got := range get[int32](r, out, threads) {
			x := int32(i)
			for _, f := range which[4*i : 4*i+4] {
				x = []int32{x + 3, x * 5, x * x}[f]
			}
			require.Equal(r, x, got, "thread %d", i)
		}
	})
}

func TestVirtualFunctions(t *testing.T) {
	every(t, "control", func(r rig) {
		const threads = 32
		side, length := make([]int32, threads), make([]int32, threads)
		for i := range side {
			side[i], length[i] = int32(i+2), int32(i%3)*5
		}
		out := r.blank(4 * threads)
		r.run("areas", grid(1, 1, threads), device.Pointer(r.put(side)), device.Pointer(r.put(length)), device.Pointer(out))
		for i, got := range get[int32](r, out, threads) {
			want := side[i] * side[i]
			if length[i] > 0 {
				want = side[i] * length[i]
			}
			require.Equal(r, want, got, "thread %d", i)
		}
	})
}

// printf and assert in branches that are not taken do no harm.
func TestChecked(t *testing.T) {
	every(t, "control", func(r rig) {
		const threads = 32
		in := ramp(1, threads)
		out := r.blank(4 * threads)
		r.run("checked", grid(1, 1, threads), device.Pointer(r.put(in)), device.Pointer(out))
		for i, got := range get[float32](r, out, threads) {
			require.Equal(r, float32(math.Sqrt(float64(in[i]))), got, "thread %d", i)
		}
	})
}

func TestVariables(t *testing.T) {
	every(t, "control", func(r rig) {
		const threads = 24
		out, count := r.blank(4*threads), r.blank(4)
		for launch := range int32(2) { // the counter outlives a launch
			r.run("variables", grid(1, 1, threads), device.Pointer(out), device.Pointer(count))
			got := get[int32](r, count, 1)[0]
			require.Contains(r, []int32{41 + 2*launch, 42 + 2*launch}, got)
		}
		for i, got := range get[float32](r, out, threads) {
			require.Equal(r, []float32{0.5, -1.25, 3, 8}[i%4]*float32("hopper"[i%6]), got, "thread %d", i)
		}
	})
}

func TestDynamicShared(t *testing.T) {
	every(t, "control", func(r rig) {
		const n = 90
		in := ramp(n, n)
		out := r.blank(4 * n * n)
		l := grid(1, 1, 256)
		l.Shared = 2 * 4 * n * n // 64800 bytes
		r.run("transpose", l, device.Pointer(r.put(in)), device.Pointer(out), device.Int32(n))
		for i, got := range get[float32](r, out, n*n) {
			require.Equal(r, in[i%n*n+i/n], got, "element %d", i)
		}
	})
}

func TestLeave(t *testing.T) {
	every(t, "control", func(r rig) {
		const ctas, threads = 2, 64
		limit, want := make([]int32, ctas*threads), make([]int32, ctas*threads)
		for i := range limit {
			limit[i] = int32(i%70) - 5
			switch {
			case limit[i] < 0:
				want[i] = -7 // what was there
			case limit[i] >= 50:
				want[i] = -50
			default:
				for j := int32(0); j <= limit[i] || j%3 == 1; j++ {
					if j%3 != 1 {
						want[i] += j
					}
				}
			}
		}
		start := make([]int32, len(limit))
		for i := range start {
			start[i] = -7
		}
		out := r.put(start)
		r.run("leave", grid(ctas, 1, threads), device.Pointer(r.put(limit)), device.Pointer(out))
		require.Equal(r, want, get[int32](r, out, len(want)))
	})
}
