package emu

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/ptx"
)

// module is loaded PTX: its module-scope variables have addresses.
type module struct {
	machine   *Machine
	ptx       *ptx.Module
	vars      map[string]variable // global and const
	constants *block
	files     map[int]string
	kernels   map[string]*kernel
	refused   map[string]error // entries that hold what the emulator does not know
}

// Load parses, verifies and compiles PTX text. A module of several entries may
// have some that hold what the emulator does not know: asking for one of those
// is an error then, and loading is one only if no entry can run.
func (m *Machine) Load(text string) (device.Module, error) {
	if err := m.open(); err != nil {
		return nil, err
	}
	parsed, err := ptx.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("ptx:%w", err)
	}
	mod := &module{
		machine: m, ptx: parsed,
		vars: map[string]variable{}, files: map[int]string{},
		kernels: map[string]*kernel{}, refused: map[string]error{},
	}
	for _, f := range parsed.Files {
		mod.files[f.Index] = f.Name
	}
	var wrong []error
	for _, e := range ptx.Verify(parsed) {
		wrong = append(wrong, mod.errorAt(e.Pos, e.Src, nil, e.Msg))
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	if err := mod.place(); err != nil {
		return nil, errors.Join(err, mod.Close())
	}
	if err := mod.compile(); err != nil {
		return nil, errors.Join(err, mod.Close())
	}
	return mod, nil
}

// compile makes programs of the entries. Its error is the first entry's, if
// none can run.
func (mod *module) compile() error {
	var first error
	for _, d := range mod.ptx.Decls {
		f, ok := d.(*ptx.Func)
		if !ok || !f.Entry || f.Body == nil {
			continue
		}
		p, err := compile(mod, f)
		if err != nil {
			mod.refused[f.Name] = err
			if first == nil {
				first = err
			}
			continue
		}
		mod.kernels[f.Name] = &kernel{mod, p}
	}
	if len(mod.kernels) == 0 {
		return first
	}
	return nil
}

// place gives addresses to the module's global and const variables.
func (mod *module) place() error {
	size := 0
	for _, d := range mod.ptx.Decls {
		v, ok := d.(*ptx.Var)
		if !ok {
			continue
		}
		switch v.Space {
		case ptx.Const:
			size = alignUp(size, varAlign(v))
			mod.vars[v.Name] = variable{spaceConst, uint64(size)}
			size += varBytes(v)
		case ptx.Global:
			b, err := mod.machine.memory.alloc(max(1, varBytes(v)), "the variable "+v.Name)
			if err != nil {
				return err
			}
			mod.vars[v.Name] = variable{spaceGlobal, b.base}
			b.wrote(0, len(b.bytes))
			clear(b.bytes) // PTX 5.4.4: zero unless initialised
		}
	}
	mod.constants = newBlock(0, size, "const memory")
	mod.constants.fixed = true
	mod.constants.wrote(0, size)
	clear(mod.constants.bytes)
	for _, d := range mod.ptx.Decls {
		if v, ok := d.(*ptx.Var); ok && v.Init != nil {
			if err := mod.initialise(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// initialise writes a variable's initialiser.
func (mod *module) initialise(v *ptx.Var) error {
	at, ok := mod.vars[v.Name]
	if !ok {
		return nil
	}
	var mem []byte
	if at.space == spaceConst {
		mem = mod.constants.bytes[at.addr:]
	} else {
		mem = mod.machine.memory.at(at.addr).bytes
	}
	n := typeBits(v.Type) / 8
	for i, o := range v.Init {
		var word uint64
		switch o := o.(type) {
		case ptx.Int:
			word = uint64(o.Value)
		case ptx.Float32:
			word = uint64(o.Bits)
		case ptx.Float64:
			word = o.Bits
			if n == 4 {
				word = uint64(float32Bits(o.Bits))
			}
		case ptx.Sym:
			if word, ok = mod.addressIn(o); !ok {
				return mod.errorAt(v.Pos, ptx.Source{}, nil, fmt.Sprintf("%s initialises %s and has no address", o.Name, v.Name))
			}
		default:
			return mod.errorAt(v.Pos, ptx.Source{}, nil, fmt.Sprintf("the initialiser of %s is not a constant", v.Name))
		}
		for j := range n {
			mem[i*n+j] = byte(word >> (8 * j))
		}
	}
	return nil
}

// addressIn is an address in an initialiser: of a variable or a function, with
// its window if it is a generic one, or one byte of it.
func (mod *module) addressIn(s ptx.Sym) (a uint64, ok bool) {
	if at, isVar := mod.vars[s.Name]; isVar {
		a = at.addr
		if s.Generic {
			a |= windows[at.space]
		}
	} else if fn := mod.function(s.Name); fn != nil {
		a = mod.codeAddress(fn)
	} else {
		return 0, false
	}
	a += uint64(s.Offset)
	if s.Mask != 0 {
		a = a & s.Mask >> bits.TrailingZeros64(s.Mask)
	}
	return a, true
}

// Kernel finds an entry.
func (mod *module) Kernel(name string) (device.Kernel, error) {
	if k := mod.kernels[name]; k != nil {
		return k, nil
	}
	if err := mod.refused[name]; err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(mod.kernels))
	return nil, fmt.Errorf("the module has no kernel %q; it has %s", name, strings.Join(names, ", "))
}

// Log is empty: there is no assembler.
func (mod *module) Log() string { return "" }

// Close frees the module's global variables.
func (mod *module) Close() error {
	for _, v := range mod.vars {
		if v.space == spaceGlobal {
			if err := mod.machine.memory.free(v.addr); err != nil {
				return err
			}
		}
	}
	mod.vars = nil
	return nil
}
