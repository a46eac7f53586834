package launch

import (
	"fmt"

	"gohopper/pkg/hopper/device"
)

// size is a buffer's bytes.
func (b *buffer) size() int { return b.count * b.element.bytes }

// place puts the buffers and maps on a device and returns the arguments and
// the buffers.
func (d *Description) place(on device.Device) ([]device.Arg, []*held, error) {
	args := make([]device.Arg, len(d.args))
	at := make([]device.Ptr, len(d.args)) // of the buffers
	var all []*held
	for i, a := range d.args {
		b := a.buffer
		if a.tensor != nil {
			b = a.tensor.own
		}
		if b != nil {
			p, err := b.place(on)
			if err != nil {
				return nil, nil, fmt.Errorf("args[%d]: %w", i, err)
			}
			at[i] = p
			h := &held{buffer: b, arg: i, at: p}
			if h.before, err = h.look(on); err != nil {
				return nil, nil, fmt.Errorf("args[%d]: %w", i, err)
			}
			all = append(all, h)
		}
		switch {
		case a.value != nil:
			args[i] = a.value
		case a.buffer != nil:
			args[i] = device.Pointer(at[i])
		}
	}
	for i, a := range d.args { // a map may be of a later argument's buffer
		if a.tensor == nil {
			continue
		}
		base := at[a.tensor.of]
		if a.tensor.own != nil {
			base = at[i]
		}
		t := a.tensor.TensorMap
		t.Address += base
		m, err := on.EncodeTiled(t)
		if err != nil {
			return nil, nil, fmt.Errorf("args[%d].map: %w", i, err)
		}
		args[i] = device.Map(m)
	}
	return args, all, nil
}

// place makes the buffer on a device. A device's new memory is poison already.
func (b *buffer) place(on device.Device) (device.Ptr, error) {
	p, err := on.Alloc(b.size())
	if err != nil {
		return 0, err
	}
	switch b.fill {
	case "zero":
		err = on.Fill(p, 0, b.size())
	case "index":
		err = on.Upload(p, b.index(b.count))
	case "normal":
		err = on.Upload(p, b.normal(b.count, b.seed))
	}
	return p, err
}
