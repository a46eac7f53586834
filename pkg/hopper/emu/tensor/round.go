package tensor

import "gohopper/pkg/hopper/num"

// Round rounds every element of D to type t, which is what a chain of
// instructions does to D between two of them. Only F16 changes anything.
func (t Type) Round(d []Column) {
	if t != F16 {
		return
	}
	for n := range d {
		for r, x := range d[n] {
			d[n][r] = num.F16FromFloat32(x).Float32()
		}
	}
}
