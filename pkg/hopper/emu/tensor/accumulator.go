package tensor

import (
	"math"

	"gohopper/pkg/hopper/num"
)

// LoadD puts register i of a warp's D fragment of type t into a strip (the
// layouts of AccumulatorAt and HalfAccumulatorAt). Integers are only set to
// zero: StoreD adds to the register what an instruction has summed up.
func (t Type) LoadD(d []Column, i int, reg *Register) {
	switch t {
	case F32:
		spread(group(d, i/4), i%2, i/2%2*8, reg)
	case F16:
		columns, row := group(d, i/2), i%2*8
		for p := range 4 {
			even, odd := (*[8]float32)(columns[2*p][row:]), (*[8]float32)(columns[2*p+1][row:])
			for r := range even {
				even[r] = num.F16(reg[4*r+p]).Float32()
				odd[r] = num.F16(reg[4*r+p] >> 16).Float32()
			}
		}
	case S32:
		columns, row := group(d, i/4), i/2%2*8
		for p := range 4 {
			clear(columns[2*p+i%2][row:][:8])
		}
	default:
		panic("emulator: D has no such type")
	}
}

// StoreD is the way back. An integer sum is added to the register. Float32
// holds it exactly while it is below 2^24, which eight instructions of k32
// cannot reach.
func (t Type) StoreD(reg *Register, d []Column, i int) {
	switch t {
	case F32:
		collect(reg, group(d, i/4), i%2, i/2%2*8)
	case F16:
		columns, row := group(d, i/2), i%2*8
		for p := range 4 {
			even, odd := (*[8]float32)(columns[2*p][row:]), (*[8]float32)(columns[2*p+1][row:])
			for r := range even {
				reg[4*r+p] = uint32(num.F16FromFloat32(even[r])) | uint32(num.F16FromFloat32(odd[r]))<<16
			}
		}
	case S32:
		columns, row := group(d, i/4), i/2%2*8
		for p := range 4 {
			half := (*[8]float32)(columns[2*p+i%2][row:])
			for r, x := range half {
				reg[4*r+p] += uint32(int32(x))
			}
		}
	default:
		panic("emulator: D has no such type")
	}
}

// group is 8 columns of a strip.
func group(d []Column, i int) *[8]Column { return (*[8]Column)(d[8*i:]) }

// spreadPortable is spread in plain Go: it puts the lanes of a register, a
// matrix of 8 rows by 4 columns, into every other column of a group, from a
// row on.
func spreadPortable(columns *[8]Column, odd, row int, reg *Register) {
	for p := range 4 {
		half := (*[8]float32)(columns[2*p+odd][row:])
		for r := range half {
			half[r] = math.Float32frombits(reg[4*r+p])
		}
	}
}

// canonicalNaN is the NaN that the tensor core returns.
const canonicalNaN = 0x7fffffff

// collectPortable is collect in plain Go, the way back.
func collectPortable(reg *Register, columns *[8]Column, odd, row int) {
	for p := range 4 {
		half := (*[8]float32)(columns[2*p+odd][row:])
		for r, x := range half {
			u := math.Float32bits(x)
			if x != x {
				u = canonicalNaN
			}
			reg[4*r+p] = u
		}
	}
}
