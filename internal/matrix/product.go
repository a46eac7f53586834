package matrix

import "math"

// rowSource is anything whose rows can be decoded to float64.
type rowSource interface {
	// row decodes elements of row i from column from on, as many as dst holds.
	row(i, from int, dst []float64)
}

// floats is a dense row-major float64 matrix.
type floats struct {
	cols int
	data []float64
}

func (f floats) row(i, from int, dst []float64) { copy(dst, f.data[i*f.cols+from:]) }

// Blocking of the float64 product: a block of blockEdge x blockEdge results is
// accumulated over panels of blockDepth elements of K, so that both panels
// (128 KiB each) stay in a core's second-level cache and are decoded once for
// the block.
const (
	blockEdge  = 64
	blockDepth = 256
)

// patch is the float64 product of chosen rows of A and chosen rows of B: the
// sums and, if asked for, the sums of magnitudes Σ|a||b|. The products of two
// 16-bit or 8-bit elements are exact in float64, so the sums are off by at
// most K·2^-53·Σ|a||b|, nothing beside any bound used here.
type patch struct {
	rows, cols []int     // which rows of A, which rows of B
	sum, mag   []float64 // len(rows) x len(cols)
}

// compute takes the product over k elements on all cores. Every sum is taken in
// the order of K, so the result does not depend on their number.
func (p *patch) compute(a, b rowSource, k int, magnitudes bool) {
	p.sum = make([]float64, len(p.rows)*len(p.cols))
	if magnitudes {
		p.mag = make([]float64, len(p.sum))
	}
	across := ceilDiv(len(p.cols), blockEdge)
	parallel(ceilDiv(len(p.rows), blockEdge)*across, func(task int) {
		p.computeBlock(a, b, k, task/across*blockEdge, task%across*blockEdge)
	})
}

// computeBlock computes the block of results whose corner is (i0, j0). Panels
// are padded with rows of zeros to whole steps of the inner loops.
func (p *patch) computeBlock(a, b rowSource, k, i0, j0 int) {
	down, across := min(blockEdge, len(p.rows)-i0), min(blockEdge, len(p.cols)-j0)
	panelA := make([]float64, roundUp(down, 2)*blockDepth)
	panelB := make([]float64, roundUp(across, 4)*blockDepth)
	sum, mag := make([]float64, blockEdge*blockEdge), make([]float64, blockEdge*blockEdge)
	for from := 0; from < k; from += blockDepth {
		depth := min(blockDepth, k-from)
		for i := range down {
			a.row(p.rows[i0+i], from, panelA[i*blockDepth:][:depth])
		}
		for j := range across {
			b.row(p.cols[j0+j], from, panelB[j*blockDepth:][:depth])
		}
		if p.mag != nil {
			multiplyWithMagnitudes(sum, mag, panelA, panelB, depth)
		} else {
			multiply(sum, panelA, panelB, depth)
		}
	}
	for i := range down {
		at := (i0+i)*len(p.cols) + j0
		copy(p.sum[at:][:across], sum[i*blockEdge:])
		if p.mag != nil {
			copy(p.mag[at:][:across], mag[i*blockEdge:])
		}
	}
}

// multiply adds the product of two panels to a block, 2 x 4 results at a time.
func multiply(sum, panelA, panelB []float64, depth int) {
	for i := 0; i*blockDepth < len(panelA); i += 2 {
		x0 := panelA[i*blockDepth:][:depth]
		x1 := panelA[(i+1)*blockDepth:][:depth]
		for j := 0; j*blockDepth < len(panelB); j += 4 {
			y0 := panelB[j*blockDepth:][:depth]
			y1 := panelB[(j+1)*blockDepth:][:depth]
			y2 := panelB[(j+2)*blockDepth:][:depth]
			y3 := panelB[(j+3)*blockDepth:][:depth]
			var r0, r1, r2, r3, s0, s1, s2, s3 float64
			for k, x := range x0 {
				z := x1[k]
				y := y0[k]
				r0 += x * y
				s0 += z * y
				y = y1[k]
				r1 += x * y
				s1 += z * y
				y = y2[k]
				r2 += x * y
				s2 += z * y
				y = y3[k]
				r3 += x * y
				s3 += z * y
			}
			r, s := sum[i*blockEdge+j:][:4], sum[(i+1)*blockEdge+j:][:4]
			r[0], r[1], r[2], r[3] = r[0]+r0, r[1]+r1, r[2]+r2, r[3]+r3
			s[0], s[1], s[2], s[3] = s[0]+s0, s[1]+s1, s[2]+s2, s[3]+s3
		}
	}
}

// multiplyWithMagnitudes also adds the magnitudes, 1 x 2 results at a time.
func multiplyWithMagnitudes(sum, mag, panelA, panelB []float64, depth int) {
	for i := 0; i*blockDepth < len(panelA); i++ {
		x0 := panelA[i*blockDepth:][:depth]
		for j := 0; j*blockDepth < len(panelB); j += 2 {
			y0 := panelB[j*blockDepth:][:depth]
			y1 := panelB[(j+1)*blockDepth:][:depth]
			var s0, s1, m0, m1 float64
			for k, x := range x0 {
				p, q := x*y0[k], x*y1[k]
				s0 += p
				s1 += q
				m0 += math.Abs(p)
				m1 += math.Abs(q)
			}
			at := i*blockEdge + j
			sum[at] += s0
			sum[at+1] += s1
			mag[at] += m0
			mag[at+1] += m1
		}
	}
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func roundUp(a, b int) int { return ceilDiv(a, b) * b }
