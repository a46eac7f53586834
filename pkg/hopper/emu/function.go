package emu

import (
	"slices"

	"gohopper/pkg/hopper/ptx"
)

// function finds a function with a body by its name or an alias; nil for none.
func (mod *module) function(name string) *ptx.Func {
	for _, d := range mod.ptx.Decls {
		switch d := d.(type) {
		case *ptx.Func:
			if d.Name == name && d.Body != nil {
				return d
			}
		case *ptx.Alias:
			if d.Name == name {
				return mod.function(d.Target)
			}
		}
	}
	return nil
}

// codeAddress is the number that stands for a function where its address is
// taken. Nothing can be read there.
func (mod *module) codeAddress(fn *ptx.Func) uint64 {
	const apart = 16
	return codeWindow + apart*uint64(slices.Index(mod.ptx.Decls, ptx.Decl(fn)))
}

// addressTaken lists the functions that the module uses other than by calling
// them: an indirect call can reach these.
func (mod *module) addressTaken() (list []*ptx.Func) {
	take := func(name string) {
		if fn := mod.function(name); fn != nil && !slices.Contains(list, fn) {
			list = append(list, fn)
		}
	}
	for _, d := range mod.ptx.Decls {
		switch d := d.(type) {
		case *ptx.Var:
			for _, o := range d.Init {
				symbols(o, take)
			}
		case *ptx.Func:
			if d.Body == nil {
				continue
			}
			walk(d.Body, func(s ptx.Stmt) {
				if in, ok := s.(*ptx.Instr); ok && in.Op != "call" {
					for _, o := range in.Args {
						symbols(o, take)
					}
				}
			})
		}
	}
	return list
}
