package launch

import (
	"encoding/hex"
	"fmt"
	"math"

	"gohopper/pkg/hopper/device"
)

// Description is a launch and its arguments.
type Description struct {
	Entry string // "" for the only one
	Shape device.Launch
	Seeds []int64 // one or more
	args  []argument
}

// argument is one of three: a value, a buffer or a tensor map.
type argument struct {
	value  device.Arg
	buffer *buffer
	tensor *tensor
}

// buffer is memory that the kernel gets a pointer to.
type buffer struct {
	count int
	element
	fill string
	seed uint64
}

const (
	mostText   = 1 << 20 // bytes of a description
	mostBuffer = 1 << 40 // bytes; what a run may take is for Limits
	mostArgs   = 4096    // the 32764 bytes of parameters (PTX 4.4) hold no more
	mostSeeds  = 10000
)

// Parse reads a description. The error names the path of what is wrong; but
// for a text that is too long it is a *Mistake.
func Parse(text []byte) (*Description, error) {
	if len(text) > mostText {
		return nil, fmt.Errorf("the description has %d bytes; the limit is %d", len(text), mostText)
	}
	in := &document{text: text}
	d := &Description{Seeds: []int64{1}}
	whole := in.decode()
	fields := whole.object("entry", "grid", "block", "cluster", "shared", "seeds", "args")
	for _, name := range []string{"grid", "block"} {
		if _, given := fields[name]; !given {
			whole.fail("%s is missing; give a number or [x, y, z]", name)
		}
	}
	if in.mistake != nil {
		return nil, in.mistake
	}
	if v, given := fields["entry"]; given {
		d.Entry = v.text()
	}
	d.Shape.Grid, d.Shape.Block = box(fields["grid"]), box(fields["block"])
	if v, given := fields["cluster"]; given {
		d.Shape.Cluster = box(v)
	}
	if v, given := fields["shared"]; given {
		d.Shape.Shared = int(v.integer(0, math.MaxInt32))
	}
	if v, given := fields["seeds"]; given {
		d.Seeds = nil
		for _, seed := range v.list() {
			d.Seeds = append(d.Seeds, seed.integer(math.MinInt64, math.MaxInt64))
		}
		if n := len(d.Seeds); n < 1 || n > mostSeeds {
			v.fail("this has %d seeds; give 1 to %d", n, mostSeeds)
		}
	}
	if v, given := fields["args"]; given {
		list := v.list()
		if len(list) > mostArgs {
			v.fail("this has %d arguments; the limit is %d", len(list), mostArgs)
		}
		for i, a := range list {
			d.args = append(d.args, readArgument(a, i))
		}
		for i, a := range d.args {
			if t := a.tensor; t != nil && t.own == nil && (t.of >= len(d.args) || d.args[t.of].buffer == nil) {
				list[i].fail("map.buffer is %d, and args[%d] is no buffer", t.of, t.of)
			}
		}
	}
	if in.mistake != nil {
		return nil, in.mistake
	}
	return d, nil
}

// Consecutive replaces the seeds by n that count up from the first.
func (d *Description) Consecutive(n int) {
	first := d.Seeds[0]
	d.Seeds = nil
	for i := range n {
		d.Seeds = append(d.Seeds, first+int64(i))
	}
}

// box reads up to three extents; what is left out is 1.
func box(v value) [3]int {
	b := [3]int{1, 1, 1}
	if !v.is('[') {
		b[0] = int(v.integer(1, math.MaxInt32))
		return b
	}
	list := v.list()
	if len(list) < 1 || len(list) > 3 {
		v.fail("this has %d extents; give 1 to 3", len(list))
		return b
	}
	for i, extent := range list {
		b[i] = int(extent.integer(1, math.MaxInt32))
	}
	return b
}

func readArgument(v value, index int) (a argument) {
	kind, field := v.only(append(elementNames(scalars()), "hex", "buffer", "map")...)
	switch kind {
	case "hex":
		data, err := hex.DecodeString(field.text())
		if err != nil || len(data) == 0 {
			field.fail("this is no run of bytes; write two digits a byte, as in \"00ff\"")
		}
		a.value = data
	case "buffer":
		a.buffer = readBuffer(field, index)
	case "map":
		a.tensor = readTensor(field, index)
	}
	for _, e := range scalars() {
		if e.name == kind {
			a.value = e.read(field)
		}
	}
	return a
}

func readBuffer(v value, index int) *buffer {
	fields := v.object("bytes", "count", "type", "fill", "seed")
	b := &buffer{fill: "poison", seed: uint64(index)}
	size, inBytes := fields["bytes"]
	count, counted := fields["count"]
	kind, typed := fields["type"]
	switch {
	case inBytes && !counted && !typed:
		b.count, b.element = int(size.integer(1, mostBuffer)), element{name: "u8", bytes: 1}
	case !inBytes && counted && typed:
		b.element = elements()[kind.choice(elementNames(elements())...)]
		b.count = int(count.integer(1, int64(mostBuffer/b.element.bytes)))
	default:
		v.fail("give bytes, or count and type")
	}
	if fill, given := fields["fill"]; given {
		fills := []string{"poison", "zero", "index", "normal"}
		if b.fill = fills[fill.choice(fills...)]; b.fill == "normal" && b.encode == nil {
			fill.fail("normal needs elements of a float type; this buffer's are %s", b.name)
		}
	}
	if seed, given := fields["seed"]; given {
		b.seed = seed.natural(math.MaxUint64)
	}
	return b
}
