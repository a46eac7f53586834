package tensor

// Multiply adds A·Bᵀ to D, for one strip or several that share B. D is n wide
// and a multiple of 4; strip s of D is d[s*n:(s+1)*n], and a is divided into as
// many strips.
//
// This is the one place that says how the tensor core adds. Modelled: each
// element of D starts from its old value and takes the products in the order
// of k, one float32 addition rounded to nearest even for each; a product of
// 16-bit or 8-bit floats is exact before it is added (a bf16 product outside
// float32's range is not). Not modelled: Hopper aligns the products of an
// instruction to the largest and cuts the bits below, so its last bits differ
// from these, and with FP8 operands much more than the last bits.
//
// The bits of the result are the same on every machine, those of a NaN apart.
func Multiply(d, a []Column, b Right, n int) {
	strips := len(d) / n
	k := len(a) / strips
	if n%4 != 0 || k == 0 || len(d) != strips*n || len(a) != strips*k || len(b.Elements) <= (n-1)*b.StepN+(k-1)*b.StepK {
		panic("emulator: tensor.Multiply: the operands do not fit")
	}
	for s := range strips {
		multiplyStrip(d[s*n:][:n], a[s*k:][:k], b)
	}
}

// multiplyPortable is multiplyStrip in plain Go: eight rows of one column at a
// time, so that eight sums are under way at once. The conversions forbid a
// fused multiply-add, which would round once where this rounds twice.
func multiplyPortable(d, a []Column, b Right) {
	for n := range d {
		bn := b.Elements[n*b.StepN:]
		for h := 0; h < StripRows; h += 8 {
			dn := (*[8]float32)(d[n][h:])
			s0, s1, s2, s3, s4, s5, s6, s7 := dn[0], dn[1], dn[2], dn[3], dn[4], dn[5], dn[6], dn[7]
			for k := range a {
				x, y := (*[8]float32)(a[k][h:]), bn[k*b.StepK]
				s0 += float32(x[0] * y)
				s1 += float32(x[1] * y)
				s2 += float32(x[2] * y)
				s3 += float32(x[3] * y)
				s4 += float32(x[4] * y)
				s5 += float32(x[5] * y)
				s6 += float32(x[6] * y)
				s7 += float32(x[7] * y)
			}
			*dn = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
		}
	}
}
