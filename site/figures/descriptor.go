package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gohopper/pkg/hopper/emu/tensor"
)

// field is a field of a matrix descriptor: its low bit, its width, and how its
// value is stored.
type field struct {
	name, label string
	low, bits   int
	unit        int // of the value
	get         func(tensor.Descriptor) uint32
}

// fields is those of PTX 9.7.15.5.1.2.2, from the low bits on. Reading them is
// package tensor's business; here is where they are put.
func fields() []field {
	return []field{
		{"start", "start address", 0, 14, 16, tensor.Descriptor.Start},
		{"leading", "leading byte offset", 16, 14, 16, tensor.Descriptor.Leading},
		{"stride", "stride byte offset", 32, 14, 16, tensor.Descriptor.Stride},
		{"base", "base offset", 49, 3, 1, tensor.Descriptor.BaseOffset},
		{"swizzle", "swizzle", 62, 2, 1, func(d tensor.Descriptor) uint32 { return uint32(d.Swizzle()) }},
	}
}

func descriptorControls() []control {
	const most = 0x3fff * 16
	return []control{
		{Name: "value", Label: "descriptor", Kind: textKind, Value: "0x4000004000010040"},
		number("start", "start address", 1024, 0, most, 16),
		number("leading", "leading byte offset", 16, 0, most, 16),
		number("stride", "stride byte offset", 1024, 0, most, 16),
		number("base", "base offset", 0, 0, 7, 1),
		choice("swizzle", "swizzle", "1", option{"0", "none"}, option{"3", "32 bytes"}, option{"2", "64 bytes"}, option{"1", "128 bytes"}),
		choice("type", "elements", "f16", option{"f16", "16 bits: f16, bf16"}, option{"tf32", "32 bits: tf32"}, option{"e4m3", "8 bits: e4m3, s8"}),
		number("rows", "rows: M or N", 16, 8, 64, 8),
		choice("major", "consecutive bytes run along", "k", option{"k", "K"}, option{"mn", "M or N"}),
		{Name: "chunk", Label: "chunk", Kind: turnKind, Value: "6", Min: 0, Max: 31, Step: 1},
	}
}

// descriptorOf is the descriptor that the settings say: by its value where that
// was changed last, else by its fields. Both are then put in step.
func descriptorOf(s *settings) tensor.Descriptor {
	if s.changed == "value" {
		text := strings.ToLower(strings.ReplaceAll(s.text("value"), "_", ""))
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			s.fail("the descriptor is %q; give a number of 64 bits, as in 0x4000004000010040", s.text("value"))
		}
		d := tensor.Descriptor(n)
		for _, f := range fields() {
			s.put(f.name, f.get(d))
		}
		s.put("value", fmt.Sprintf("%#016x", n))
		return d
	}
	var n uint64
	for _, f := range fields() {
		n |= uint64(s.whole(f.name)/f.unit) << f.low
	}
	s.put("value", fmt.Sprintf("%#016x", n))
	return tensor.Descriptor(n)
}

func drawDescriptor(s *settings, a *answer) {
	descriptor := descriptorOf(s)
	operand := tensor.Operand{
		Type: map[string]tensor.Type{"f16": tensor.F16, "tf32": tensor.TF32, "e4m3": tensor.E4M3}[s.text("type")],
		Rows: s.whole("rows"), MNMajor: s.text("major") == "mn",
	}
	if operand.MNMajor && operand.Type != tensor.F16 {
		s.fail("bytes that run along M or N are for elements of 16 bits alone; take those, or K")
	}
	if s.wrong != nil {
		return
	}
	at := operand.Chunks(nil, descriptor)
	chosen := s.within("chunk", len(at)-1)
	low, high := slices.Min(at), slices.Max(at)+chunkBytes

	d := &svg{}
	d.bits(descriptor)
	y := d.high + 20
	d.text("words start", 0, y, fmt.Sprintf("what one wgmma reads: %d chunks of 16 bytes", len(at)))
	left := d.memory(y+8, operandChunks(operand, at, chosen))
	a.Drawing = d.finish(fmt.Sprintf("The 64 bits of a matrix descriptor, and the chunks of shared memory that it names for %d rows", operand.Rows))

	// Swizzling undoes itself, so it also says where a chunk would lie without.
	shift := descriptor.BaseOffset() << 7
	plain := descriptor.Swizzle().Apply(at[chosen]-shift) + shift
	a.Said = fmt.Sprintf("The descriptor is %s. Chunk %d, %s, is %d bytes behind the start, at address %d = %#x",
		s.text("value"), chosen, part(operand, chosen), int64(plain)-int64(descriptor.Start()), plain, plain)
	if plain != at[chosen] {
		a.Said += fmt.Sprintf("; the swizzle makes that %d = %#x", at[chosen], at[chosen])
	}
	a.Said += "."
	if repeated := len(at) - len(compact(at)); repeated > 0 {
		a.Said += fmt.Sprintf(" %s read more than once.", are(repeated, "chunk"))
	}
	if high > sharedBytes {
		a.Said += fmt.Sprintf(" It reaches to address %d; a CTA has %d bytes of shared memory.", high, sharedBytes)
	}
	if left > 0 {
		a.Said += fmt.Sprintf(" %s not drawn.", are(left, "line"))
	}
	a.Table = table{Caption: "The fields", Head: []string{"field", "bits", "stored", "value"}}
	for _, f := range fields() {
		value := strconv.Itoa(int(f.get(descriptor)))
		if f.name == "swizzle" {
			value = map[tensor.Swizzle]string{tensor.NoSwizzle: "none", tensor.Swizzle32: "32 bytes", tensor.Swizzle64: "64 bytes", tensor.Swizzle128: "128 bytes"}[descriptor.Swizzle()]
		}
		stored := uint64(descriptor) >> f.low & (1<<f.bits - 1)
		a.Table.add(f.label, fmt.Sprintf("%d to %d", f.low, f.low+f.bits-1), strconv.FormatUint(stored, 10), value)
	}
	a.Table.add("bytes read", "", "", fmt.Sprintf("%d, from address %d to %d", chunkBytes*len(compact(at)), low, high-1))
}

// compact is addresses without those that are there again.
func compact(at []uint32) []uint32 { return slices.Compact(slices.Sorted(slices.Values(at))) }

// are is a number of things that something is done to.
func are(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return count(n, what) + " are"
}

// part is the elements of an operand that chunk i of its list holds.
func part(o tensor.Operand, i int) string {
	per := o.Type.PerChunk()
	if o.MNMajor {
		return fmt.Sprintf("rows %d to %d at k = %d", i%(o.Rows/8)*8, i%(o.Rows/8)*8+7, i/(o.Rows/8))
	}
	return fmt.Sprintf("row %d, k = %d to %d", i/2, i%2*per, i%2*per+per-1)
}

// operandChunks is the chunks as they lie. Of several at one address the chosen
// one is shown, else the last.
func operandChunks(o tensor.Operand, at []uint32, chosen int) []chunk {
	var all []chunk
	label := func(i int) string {
		if o.MNMajor {
			return fmt.Sprintf("k%d r%d", i/(o.Rows/8), i%(o.Rows/8)*8)
		}
		return fmt.Sprintf("r%d k%d", i/2, i%2*o.Type.PerChunk())
	}
	for i, address := range at {
		all = append(all, chunk{at: address, label: label(i), class: "read", sets: fmt.Sprintf("chunk=%d", i)})
	}
	last := all[chosen]
	last.class = "chosen"
	return append(all, last)
}

// bits draws the descriptor, 32 bits a row. A click on a bit turns it over.
func (d *svg) bits(descriptor tensor.Descriptor) {
	const cell = wide / 32.0
	for word := range 2 {
		y := float64(word) * 56
		for i := range 32 {
			bit := 63 - 32*word - i
			class := "f5"
			for n, f := range fields() {
				if bit >= f.low && bit < f.low+f.bits {
					class = "f" + strconv.Itoa(n)
				}
			}
			x := cell * float64(i)
			sets := fmt.Sprintf("value=%#016x", uint64(descriptor)^1<<bit)
			d.rect("cell", x, y+14, cell, 20, sets)
			d.rect(class, x, y+31, cell, 3, sets)
			d.text("", x+cell/2, y+27, strconv.Itoa(int(descriptor>>bit&1)))
		}
		for n, f := range fields() {
			if (f.low >= 32) == (word == 1) {
				continue
			}
			left := cell * float64(31-(f.low+f.bits-1)%32)
			right := cell * float64(32-f.low%32)
			d.text("small soft start", left, y+10, strconv.Itoa(f.low+f.bits-1))
			if f.bits > 3 {
				d.text("small soft end", right, y+10, strconv.Itoa(f.low))
			}
			class, x := "small words start f"+strconv.Itoa(n), left
			label := f.label
			if f.unit > 1 {
				label += fmt.Sprintf(" / %d", f.unit)
			}
			d.text(class, x, y+46, label)
		}
	}
}
