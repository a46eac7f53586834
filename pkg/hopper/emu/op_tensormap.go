package emu

import (
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu/tma"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// tensorMapBytes is an encoded tensor map in memory (PTX 5.5.8).
type tensorMapBytes = [128]byte

// tensorMapAlign is its alignment in bytes.
const tensorMapAlign = 64

// encodeTiled makes a tensor map in the emulator's own encoding.
func encodeTiled(t device.TensorMap) (device.EncodedMap, error) {
	if err := t.Validate(); err != nil {
		return device.EncodedMap{}, err
	}
	return tma.Encode(t), nil
}

// compileReplace is tensormap.replace: [addr]{, ordinal}, value. It changes the
// map in memory at once; the engine reads a map when a copy is issued.
func compileReplace(c *compiler, in *ptx.Instr) op {
	f, _ := tma.FieldOf(in.Mods[2])
	n := 2
	if f.Ordinals > 0 {
		n++
	}
	args := c.args(n, n)
	if c.err != nil {
		return nop
	}
	s, addr, ordinal := c.space(), c.address(args[0]), 0
	if n == 3 {
		if ordinal = int(c.immediate(args[1])); ordinal < 0 || ordinal >= f.Ordinals {
			return c.failf("%s has ordinal %d; it must be 0 to %d", in.Name(), ordinal, f.Ordinals-1)
		}
	}
	var row int
	switch value := args[n-1]; {
	case f.Immediate:
		if v := c.immediate(value); v < 0 || v > int64(f.Most) {
			return c.failf("%s has value %d; sm_90a knows 0 to %d", in.Name(), v, f.Most)
		}
		row = c.src32(value)
	case f.Bits == 64:
		row = c.src64(value)
	default:
		row = c.src32(value)
	}
	return func(w *warp, m mask) *wait {
		for lane := range lanes {
			if m>>lane&1 == 0 {
				continue
			}
			by := w.agent(1 << lane)
			mem := w.cta.cluster.bytes(by, s, addr.at(w, lane), len(tensorMapBytes{}), tensorMapAlign, readWrite)
			if mem == nil {
				continue
			}
			var value uint64
			if f.Bits == 64 {
				value = w.d[row][lane]
			} else {
				value = uint64(w.r[row][lane])
			}
			if err := f.Replace((*tensorMapBytes)(mem), ordinal, value); err != nil {
				w.report(by.lanes, event.Finding{
					Rule: "tensor-map", Severity: event.Error, Message: err.Error(),
					Advice: "copy a map that the host encoded to this place first, or fill it with zeros and replace every field",
				})
			}
		}
		return nil
	}
}

// compileCopyMap is tensormap.cp_fenceproxy: the warp copies a map from shared
// to global memory, [dst], [src], 128, as part of a release.
func compileCopyMap(c *compiler, in *ptx.Instr) op {
	args := c.args(3, 3)
	if c.err != nil {
		return nop
	}
	dst, src := c.address(args[0]), c.address(args[1])
	if n := c.immediate(args[2]); int(n) != len(tensorMapBytes{}) {
		return c.failf("%s copies %d bytes; a tensor map has %d", in.Name(), n, len(tensorMapBytes{}))
	}
	return func(w *warp, m mask) *wait {
		cl, lane := w.cta.cluster, m.first()
		by := w.agent(1 << lane)
		from := cl.bytes(by, spaceShared, src.at(w, lane), len(tensorMapBytes{}), tensorMapAlign, read)
		to := cl.bytes(by, spaceGlobal, dst.at(w, lane), len(tensorMapBytes{}), tensorMapAlign, write)
		if from != nil {
			copy(to, from)
		}
		return nil
	}
}
