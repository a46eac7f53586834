package launch

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
)

// element is a type of scalars and of a buffer's elements.
type element struct {
	name   string
	bytes  int
	signed bool
	encode func(float64) uint64 // nil for an integer
}

// elements lists the types, by their PTX names.
func elements() []element {
	format := func(f num.Format) element {
		return element{f.String(), f.Size(), true, func(v float64) uint64 { return uint64(f.Encode(v)) }}
	}
	return []element{
		{"s8", 1, true, nil}, {"u8", 1, false, nil}, {"s16", 2, true, nil}, {"u16", 2, false, nil},
		{"s32", 4, true, nil}, {"u32", 4, false, nil}, {"s64", 8, true, nil}, {"u64", 8, false, nil},
		format(num.FormatF16), format(num.FormatBF16), format(num.FormatF32), {"f64", 8, true, math.Float64bits},
		format(num.FormatE4M3), format(num.FormatE5M2),
	}
}

// elementNames are the names of some types, for messages.
func elementNames(list []element) (names []string) {
	for _, e := range list {
		names = append(names, e.name)
	}
	return names
}

// scalars are the types of an argument.
func scalars() []element {
	return slices.DeleteFunc(elements(), func(e element) bool { return e.encode != nil && e.bytes == 1 })
}

// put appends an element given by its bits.
func (e element) put(to []byte, bits uint64) []byte {
	return append(to, binary.LittleEndian.AppendUint64(nil, bits)[:e.bytes]...)
}

// read is a scalar argument of this type.
func (e element) read(v value) device.Arg {
	bits := 8 * e.bytes
	switch {
	case e.encode != nil:
		return e.put(nil, e.encode(v.number()))
	case e.signed:
		return e.put(nil, uint64(v.integer(-1<<(bits-1), 1<<(bits-1)-1)))
	}
	return e.put(nil, v.natural(math.MaxUint64>>(64-bits)))
}

// index is n elements that count up from 0.
func (e element) index(n int) []byte {
	data := make([]byte, 0, n*e.bytes)
	for i := range n {
		bits := uint64(i)
		if e.encode != nil {
			bits = e.encode(float64(i))
		}
		data = e.put(data, bits)
	}
	return data
}

// normal is n independent standard normal values.
func (e element) normal(n int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	data := make([]byte, 0, n*e.bytes)
	for range n {
		data = e.put(data, e.encode(random.NormFloat64()))
	}
	return data
}
