package matrix

import (
	"encoding/binary"
	"math/rand/v2"

	"gohopper/pkg/hopper/num"
)

// Fill makes a matrix of independent standard normal values rounded to t. The
// values depend on seed, stream, the position and the number of columns, not
// on how many cores fill it. Give A and B different streams.
//
// No row, column or tile resembles another, so a result computed from
// transposed, permuted or shifted operands is wrong almost everywhere; and the
// bits toggle as in real data, which a GPU's power and so its clock depend on.
func Fill(rows, cols int, t num.Format, seed, stream uint64) *Matrix {
	m := New(rows, cols, t)
	parallel(rows, func(i int) {
		rng := rowGenerator(seed, stream, uint64(i))
		row := m.data[i*cols*t.Size():][:cols*t.Size()]
		switch t {
		case num.FormatF16:
			for p := 0; p < len(row); p += 2 {
				binary.LittleEndian.PutUint16(row[p:], uint16(num.F16FromFloat32(float32(rng.NormFloat64()))))
			}
		case num.FormatBF16:
			for p := 0; p < len(row); p += 2 {
				binary.LittleEndian.PutUint16(row[p:], uint16(num.BF16FromFloat32(float32(rng.NormFloat64()))))
			}
		default:
			for j := range cols {
				m.Set(i, j, rng.NormFloat64())
			}
		}
	})
	return m
}

// rowGenerator is an independent generator for each row. PCG states that are
// near each other give related sequences at first, so the words are mixed.
func rowGenerator(seed, stream, row uint64) *rand.Rand {
	s := mix(mix(seed) + stream)
	return rand.New(rand.NewPCG(mix(s+row), mix(s^^row)))
}

// mix is a bijection in which every input bit changes about half of the output
// bits: the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
