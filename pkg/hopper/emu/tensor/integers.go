package tensor

// multiplyIntegersPortable is multiplyIntegers in plain Go: it adds A·Bᵀ to D
// for integers that float32 holds exactly, with their products and sums. Eight
// rows of one column at a time, so that eight sums are under way at once.
func multiplyIntegersPortable(d, a []Column, b Right) {
	for n := range d {
		bn := b.Elements[n*b.StepN:]
		for h := 0; h < StripRows; h += 8 {
			dn := (*[8]float32)(d[n][h:])
			s0, s1, s2, s3, s4, s5, s6, s7 := dn[0], dn[1], dn[2], dn[3], dn[4], dn[5], dn[6], dn[7]
			for k := range a {
				x, y := (*[8]float32)(a[k][h:]), bn[k*b.StepK]
				s0 += x[0] * y
				s1 += x[1] * y
				s2 += x[2] * y
				s3 += x[3] * y
				s4 += x[4] * y
				s5 += x[5] * y
				s6 += x[6] * y
				s7 += x[7] * y
			}
			*dn = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
		}
	}
}
