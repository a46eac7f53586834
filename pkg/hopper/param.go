package hopper

import "gohopper/pkg/hopper/ptx"

// Int32 declares a .u32 parameter and loads it (ld.param.u32, PTX 9.7.9.8).
// Parameters are passed in the order in which they are declared.
func (k *Kernel) Int32(name string) Int {
	k.param(&ptx.Var{Space: ptx.Param, Type: "u32", Name: name})
	v := k.int32()
	k.emit("ld.param.u32", v.op(), ptx.Addr{Base: ptx.Sym{Name: name}})
	return v
}

func (k *Kernel) param(v *ptx.Var) {
	k.checkName("parameter", v.Name)
	for _, p := range k.fn.Params {
		if p.Name == v.Name {
			k.mistake("parameter %q is declared twice; give each its own name", v.Name)
		}
	}
	k.fn.Params = append(k.fn.Params, v)
}

// checkName notes a name that PTX does not take (PTX 4.4), or that would hide
// one of this package's own.
func (k *Kernel) checkName(what, name string) {
	for i, c := range name {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			k.mistake("%s name %q: PTX names begin with a letter and go on with letters, digits and underscores", what, name)
			return
		}
	}
	switch name {
	case "":
		k.mistake("the %s has no name; give it one", what)
	case sharedSymbol:
		k.mistake("%s name %q: that is the dynamic shared memory; choose another", what, name)
	case "WARP_SZ":
		k.mistake("%s name %q: PTX has a constant of that name; choose another", what, name)
	}
}
