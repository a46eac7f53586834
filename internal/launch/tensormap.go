package launch

import (
	"math"

	"gohopper/pkg/hopper/device"
)

// tensor is a tensor map; the address in it is an offset in its buffer.
type tensor struct {
	device.TensorMap
	of  int     // the argument that is its buffer, or
	own *buffer // its own
}

func readTensor(v value, index int) *tensor {
	fields := v.object("buffer", "Address", "Type", "Dims", "Strides", "Box", "ElementStrides",
		"Interleave", "Swizzle", "L2Promotion", "Fill")
	for _, name := range []string{"buffer", "Type", "Dims", "Box"} {
		if _, given := fields[name]; !given {
			v.fail("%s is missing", name)
			return &tensor{}
		}
	}
	t := &tensor{}
	if b := fields["buffer"]; b.is('{') {
		t.own = readBuffer(b, index)
	} else {
		t.of = int(b.integer(0, mostArgs-1))
	}
	if a, given := fields["Address"]; given {
		t.Address = device.Ptr(a.natural(mostBuffer))
	}
	t.Type = device.MapType(fields["Type"].choice(mapTypes()...))
	t.Dims = naturals[uint64](fields["Dims"], math.MaxUint64)
	t.Box = naturals[uint32](fields["Box"], math.MaxUint32)
	if f, given := fields["Strides"]; given {
		t.Strides = naturals[uint64](f, math.MaxUint64)
	}
	if f, given := fields["ElementStrides"]; given {
		t.ElementStrides = naturals[uint32](f, math.MaxUint32)
	}
	// The driver numbers the choices in this order, and so does device.
	if f, given := fields["Interleave"]; given {
		t.Interleave = device.Interleave(f.choice("none", "16B", "32B"))
	}
	if f, given := fields["Swizzle"]; given {
		t.Swizzle = device.Swizzle(f.choice("none", "32B", "64B", "128B"))
	}
	if f, given := fields["L2Promotion"]; given {
		t.L2Promotion = device.L2Promotion(f.choice("none", "64B", "128B", "256B"))
	}
	if f, given := fields["Fill"]; given {
		t.Fill = device.Fill(f.choice("zero", "nan"))
	}
	// Buffers are aligned to more than a map asks for, so the offset is as good
	// as the address.
	if err := t.Validate(); err != nil {
		v.fail("%v", err)
	}
	return t
}

// mapTypes are the names of the element types of tensor maps, in the driver's
// order.
func mapTypes() (names []string) {
	for t := device.MapU8; t <= device.MapTF32FTZ; t++ {
		names = append(names, t.String())
	}
	return names
}

func naturals[T uint32 | uint64](v value, most uint64) (list []T) {
	for _, n := range v.list() {
		list = append(list, T(n.natural(most)))
	}
	return list
}
