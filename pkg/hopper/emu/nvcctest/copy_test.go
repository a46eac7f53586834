package nvcctest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
)

// The box of tma.cu and libcu.cu.
const boxRows, boxCols = 8, 32

// ramp is a matrix in which no two elements are the same.
func ramp(rows, cols int) []float32 {
	m := make([]float32, rows*cols)
	for i := range m {
		m[i] = float32(i) / 4
	}
	return m
}

// requireNext holds out, of width columns, against in + 1, and zeros + 1 where
// in has no column.
func requireNext(r rig, in []float32, cols int, out []float32, width int) {
	r.Helper()
	for i, got := range out {
		want := float32(1)
		if x := i % width; x < cols {
			want += in[i/width*cols+x]
		}
		require.Equal(r, want, got, "row %d, column %d", i/width, i%width)
	}
}

func TestTensorLoad(t *testing.T) {
	every(t, "tma", func(r rig) {
		for _, kernel := range []string{"load_tile", "load_tile_state"} {
			const rows, cols, width = 21, 72, 96 // ragged both ways
			in := ramp(rows, cols)
			m := r.tensorMap(device.MapF32, r.put(in), rows, cols, boxRows, boxCols, device.SwizzleNone)
			out := r.blank(4 * rows * width)
			r.run(kernel, grid(width/boxCols, (rows+boxRows-1)/boxRows, 64), m, device.Pointer(out), device.Int32(rows), device.Int32(width))
			requireNext(r, in, cols, get[float32](r, out, rows*width), width)
		}
	})
}

func TestLibcuBarrier(t *testing.T) {
	every(t, "libcu", func(r rig) {
		const rows, cols = 20, 40 // the boxes of the last row and column hang over
		in := ramp(rows, cols)
		out := r.blank(4 * rows * cols)
		from := r.tensorMap(device.MapF32, r.put(in), rows, cols, boxRows, boxCols, device.SwizzleNone)
		to := r.tensorMap(device.MapF32, out, rows, cols, boxRows, boxCols, device.SwizzleNone)
		r.run("barrier_tile", grid(2, 3, 96), from, to)
		requireNext(r, in, cols, get[float32](r, out, rows*cols), cols)
	})
}

func TestLibcuPtx(t *testing.T) {
	every(t, "libcu", func(r rig) {
		const rows, cols, boxes = 40, 64, 5
		in := ramp(rows, cols)
		out := r.blank(4 * cols)
		m := r.tensorMap(device.MapF32, r.put(in), rows, cols, boxRows, boxCols, device.SwizzleNone)
		r.run("ptx_sum", grid(cols/boxCols, 1, boxCols), m, device.Pointer(out), device.Int32(boxes))
		for x, got := range get[float32](r, out, cols) {
			var sum float32
			for y := range rows {
				sum += in[y*cols+x]
			}
			require.Equal(r, sum, got, "column %d", x)
		}
	})
}

func TestLibcuHandover(t *testing.T) {
	every(t, "libcu", func(r rig) {
		const rounds = 5
		in := make([]int32, 32*rounds)
		for i := range in {
			in[i] = int32(7*i - 100)
		}
		out := r.blank(4 * len(in))
		r.run("handover", grid(1, 1, 64), device.Pointer(r.put(in)), device.Pointer(out), device.Int32(rounds))
		for i, got := range get[int32](r, out, len(in)) {
			require.Equal(r, 2*in[i/32*32+31-i%32], got, "element %d", i)
		}
	})
}

func TestTensorStore(t *testing.T) {
	every(t, "store", func(r rig) {
		const rows, cols, boxes = 75, 52, 5 // the last boxes hang over
		out := r.blank(4 * rows * cols)
		m := r.tensorMap(device.MapF32, out, rows, cols, 16, 32, device.SwizzleNone)
		r.run("store_tiles", grid(2, 1, 128), m, device.Int32(boxes))
		for i, got := range get[float32](r, out, rows*cols) {
			require.Equal(r, float32(i/cols)+float32(i%cols)/64, got, "row %d, column %d", i/cols, i%cols)
		}
	})
}

func TestTensorReduce(t *testing.T) {
	every(t, "store", func(r rig) {
		const rows, cols, ctas = 16, 32, 4
		out := r.put(ramp(rows, cols))
		m := r.tensorMap(device.MapF32, out, rows, cols, rows, cols, device.SwizzleNone)
		r.run("add_tile", grid(ctas, 1, 128), m)
		for i, got := range get[float32](r, out, rows*cols) {
			require.Equal(r, float32(i)/4+1+2+3+4, got, "element %d", i)
		}
	})
}

func TestBulkRows(t *testing.T) {
	every(t, "store", func(r rig) {
		const n, rows = 388, 3
		in := ramp(rows, n)
		out := r.blank(4 * len(in))
		r.run("bulk_rows", grid(rows, 1, 128), device.Pointer(r.put(in)), device.Pointer(out), device.Int32(n))
		for i, got := range get[float32](r, out, len(in)) {
			require.Equal(r, 2*in[i], got, "element %d", i)
		}
	})
}

func TestPipeline(t *testing.T) {
	every(t, "pipeline", func(r rig) {
		const threads, pieces = 64, 5
		in := ramp(pieces, threads)
		out := r.blank(4 * len(in))
		l := grid(1, 1, threads)
		l.Shared = 2 * 4 * threads
		r.run("pipelined", l, device.Pointer(r.put(in)), device.Pointer(out), device.Int32(threads*pieces))
		for i, got := range get[float32](r, out, len(in)) {
			require.Equal(r, 3*in[i/threads*threads+threads-1-i%threads], got, "element %d", i)
		}
	})
}

func TestGroupCopy(t *testing.T) {
	every(t, "pipeline", func(r rig) {
		const n, ctas = 100, 2
		in := make([]int32, n*ctas)
		for i := range in {
			in[i] = int32(i * i)
		}
		out := r.blank(4 * len(in))
		l := grid(ctas, 1, 64)
		l.Shared = 4 * n
		r.run("grouped", l, device.Pointer(r.put(in)), device.Pointer(out), device.Int32(n))
		for i, got := range get[int32](r, out, len(in)) {
			require.Equal(r, in[i/n*n+n-1-i%n], got, "element %d", i)
		}
	})
}
