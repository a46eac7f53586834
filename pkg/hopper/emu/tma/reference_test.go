package tma

import (
	"gohopper/pkg/hopper/device"
)

// The reference moves one byte at a time and computes each of its two
// addresses from scratch, in the words of PTX 5.5.

// place is where byte n of element i (one index per dimension) of a box at
// shared address box goes.
func place(t device.TensorMap, counts, i []int, n int, box int) int {
	size := t.Type.Bytes()
	pitch := counts[0] * size
	span := map[device.Swizzle]int{device.Swizzle32B: 32, device.Swizzle64B: 64, device.Swizzle128B: 128}[t.Swizzle]
	if pitch < span {
		pitch = span
	}
	row, scale := 0, 1
	for d := 1; d < len(i); d++ {
		row += i[d] * scale
		scale *= counts[d]
	}
	a := box + row*pitch + i[0]*size + n
	if span == 0 {
		return a
	}
	chunksPerSpan := span / 16
	start := a / span * span
	index := a % span / 16
	return start + (index^(a/128%chunksPerSpan))*16 + a%16
}

// global is the global address of byte n of element i of the box; false if the
// element lies outside the tensor, whose innermost dimension has so many
// elements.
func global(t device.TensorMap, width uint64, corner []int32, i []int, n int) (uint64, bool) {
	a := int64(t.Address) + int64(n)
	for d := range i {
		step := 1
		if d > 0 && t.ElementStrides != nil {
			step = int(t.ElementStrides[d])
		}
		c := int64(corner[d]) + int64(i[d]*step)
		end := t.Dims[d]
		if d == 0 {
			end = width
		}
		if c < 0 || c >= int64(end) {
			return 0, false
		}
		stride := int64(t.Type.Bytes())
		if d > 0 {
			stride = int64(t.Strides[d-1])
		}
		a += c * stride
	}
	return uint64(a), true
}

// each calls f for every element of the box.
func each(t device.TensorMap, f func(counts, i []int)) {
	counts := make([]int, len(t.Box))
	total := 1
	for d := range counts {
		counts[d] = int(t.Box[d])
		if d > 0 && t.ElementStrides != nil {
			s := int(t.ElementStrides[d])
			counts[d] = (counts[d] + s - 1) / s
		}
		total *= counts[d]
	}
	i := make([]int, len(t.Box))
	for n := range total {
		for d := range i {
			i[d] = n % counts[d]
			n /= counts[d]
		}
		f(counts, i)
	}
}

// referenceLoad is what shared memory, of n bytes of background, holds after a load.
func referenceLoad(t device.TensorMap, corner []int32, content func(uint64) byte, box, n int, background byte) []byte {
	mem := make([]byte, n)
	for k := range mem {
		mem[k] = background
	}
	each(t, func(counts, i []int) {
		for k := range t.Type.Bytes() {
			v := byte(0)
			if t.Fill == device.FillNaN {
				v = []byte{0xf7, 0x7f}[k%2]
			}
			if a, ok := global(t, t.Dims[0], corner, i, k); ok {
				v = content(a)
			}
			mem[place(t, counts, i, k, box)] = v
		}
	})
	return mem
}

// referenceStore is what a store from shared memory writes to global memory.
// It cuts rows off at a multiple of 16 bytes.
func referenceStore(t device.TensorMap, corner []int32, mem []byte, box int) map[uint64]byte {
	written := map[uint64]byte{}
	perUnit := uint64(16 / t.Type.Bytes())
	width := (t.Dims[0] + perUnit - 1) / perUnit * perUnit
	each(t, func(counts, i []int) {
		for k := range t.Type.Bytes() {
			if a, ok := global(t, width, corner, i, k); ok {
				written[a] = mem[place(t, counts, i, k, box)]
			}
		}
	})
	return written
}
