package matrix

import (
	"encoding/binary"
	"fmt"
	"math"

	"gohopper/pkg/hopper/num"
)

// Shape is the shape of a product C = A·Bᵀ: A is M x K, B is N x K, C is M x N.
type Shape struct {
	M int `json:"m"`
	N int `json:"n"`
	K int `json:"k"`
}

func (s Shape) String() string { return fmt.Sprintf("%dx%dx%d", s.M, s.N, s.K) }

// Validate says which dimension is not positive.
func (s Shape) Validate() error {
	for _, d := range []struct {
		name string
		size int
	}{{"m", s.M}, {"n", s.N}, {"k", s.K}} {
		if d.size < 1 {
			return fmt.Errorf("%s is %d: every dimension of a product must be at least 1", d.name, d.size)
		}
	}
	return nil
}

// Matrix is a dense row-major matrix in host memory, held as the bytes that a
// device wants: little-endian elements without padding.
type Matrix struct {
	Rows, Cols int
	Type       num.Format
	data       []byte
}

// New makes a matrix of zeros. Rows and cols must not be negative.
func New(rows, cols int, t num.Format) *Matrix {
	return &Matrix{Rows: rows, Cols: cols, Type: t, data: make([]byte, rows*cols*t.Size())}
}

// Bytes is the matrix's own memory, for upload and download without a copy.
func (m *Matrix) Bytes() []byte { return m.data }

// Clone is a copy that shares no memory.
func (m *Matrix) Clone() *Matrix {
	c := *m
	c.data = append([]byte(nil), m.data...)
	return &c
}

// Poison sets every byte to 0xFF, a NaN in each format. Do it to a result
// before the kernel that must write it.
func (m *Matrix) Poison() {
	for i := range m.data {
		m.data[i] = 0xFF
	}
}

// Code is the element's bits.
func (m *Matrix) Code(i, j int) uint32 {
	p := i*m.Cols + j
	switch m.Type.Size() {
	case 1:
		return uint32(m.data[p])
	case 2:
		return uint32(binary.LittleEndian.Uint16(m.data[2*p:]))
	}
	return binary.LittleEndian.Uint32(m.data[4*p:])
}

// SetCode sets the element's bits.
func (m *Matrix) SetCode(i, j int, code uint32) {
	p := i*m.Cols + j
	switch m.Type.Size() {
	case 1:
		m.data[p] = uint8(code)
	case 2:
		binary.LittleEndian.PutUint16(m.data[2*p:], uint16(code))
	default:
		binary.LittleEndian.PutUint32(m.data[4*p:], code)
	}
}

// At is the element's value.
func (m *Matrix) At(i, j int) float64 { return m.Type.Decode(m.Code(i, j)) }

// Set rounds v to the matrix's type.
func (m *Matrix) Set(i, j int, v float64) { m.SetCode(i, j, m.Type.Encode(v)) }

// row decodes elements of row i from column from on, as many as dst holds.
func (m *Matrix) row(i, from int, dst []float64) {
	size := m.Type.Size()
	src := m.data[(i*m.Cols+from)*size:][:len(dst)*size]
	switch m.Type {
	case num.FormatF16:
		for p := range dst {
			dst[p] = float64(num.F16(binary.LittleEndian.Uint16(src[2*p:])).Float32())
		}
	case num.FormatBF16:
		for p := range dst {
			dst[p] = float64(num.BF16(binary.LittleEndian.Uint16(src[2*p:])).Float32())
		}
	case num.FormatF32:
		for p := range dst {
			dst[p] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src[4*p:])))
		}
	case num.FormatE4M3:
		for p, x := range src {
			dst[p] = float64(num.E4M3(x).Float32())
		}
	case num.FormatE5M2:
		for p, x := range src {
			dst[p] = float64(num.E5M2(x).Float32())
		}
	}
}
