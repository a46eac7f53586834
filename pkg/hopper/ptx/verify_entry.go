package ptx

const (
	// maxStaticShared is the static shared memory that every driver accepts
	// for an entry; more has to be dynamic.
	maxStaticShared = 48 << 10
	// maxParams is the size of an entry's parameters since PTX 8.1, oldParams
	// before it (PTX 5.1.6.1).
	maxParams, oldParams = 32764, 4352
)

// directives checks the directives of a function against each other and
// against the target (PTX 11.4).
func (v *verifier) directives(f *Func) {
	seen := map[string]bool{}
	number, _ := splitTarget(v.target)
	for _, d := range f.Directives {
		if seen[d.Name] && d.Name != "pragma" {
			v.at(d.Pos, RuleEntry, ".%s is given twice", d.Name)
		}
		seen[d.Name] = true
		switch d.Name {
		case "reqnctapercluster", "explicitcluster", "maxclusterrank":
			if number < 90 {
				v.at(d.Pos, RuleNeeds, ".%s needs .target sm_90; the module says .target %s", d.Name, v.target)
			}
		}
		for _, clash := range [][2]string{{"maxntid", "reqntid"}, {"reqnctapercluster", "maxclusterrank"}} {
			if d.Name == clash[0] && seen[clash[1]] || d.Name == clash[1] && seen[clash[0]] {
				v.at(d.Pos, RuleEntry, ".%s and .%s exclude each other; keep one", clash[0], clash[1])
			}
		}
	}
}

// entry checks what holds for kernels only.
func (v *verifier) entry(f *Func) {
	limit := maxParams
	if v.m.Version.Less(Version{8, 1}) {
		limit = oldParams
	}
	size := 0
	for _, p := range f.Params {
		size = place(size, p)
	}
	if size > limit {
		v.at(f.Pos, RuleLimit, "the parameters of %s take %d bytes; PTX %v allows %d. Pass a pointer to global memory", f.Name, size, v.m.Version, limit)
	}
	e := &entryWalk{v: v, shared: map[*Var]bool{}}
	e.block(f.Body)
	size = 0
	for _, s := range e.order {
		size = place(size, s)
	}
	if size > maxStaticShared {
		v.at(f.Pos, RuleLimit, "%s uses %d bytes of static shared memory; at most %d are allowed. Declare \".extern .shared .align 1024 .b8 name[];\" and give the size at launch", f.Name, size, maxStaticShared)
	}
	if !leaves(f.Body) {
		v.at(f.Pos, RuleEntry, "the end of %s can be reached without leaving; end it with \"ret;\"", f.Name)
	}
	if e.maxnreg != nil && !bounded(f) {
		v.on(e.maxnreg, RuleMaxnreg, "the assembler ignores it in an entry whose register count is open; add .maxntid with .minnctapersm 1, or .maxnreg, to %s", f.Name)
	}
}

// place adds a variable behind size bytes, aligned.
func place(size int, d *Var) int {
	bytes := d.Type.Bytes() * max(d.Vector, 1)
	align := max(d.Align, bytes, 1)
	if extent(d.Dims) >= maxExtent {
		return maxExtent
	}
	return (size+align-1)/align*align + bytes*extent(d.Dims)
}

// bounded reports whether the entry limits its registers per thread.
func bounded(f *Func) bool {
	for _, d := range f.Directives {
		switch d.Name {
		case "maxnreg", "maxntid", "reqntid":
			return true
		}
	}
	return false
}

// leaves reports whether the last instruction of a block never goes on to the
// next one. Labels behind it belong to debug information.
func leaves(b *Block) bool {
	for i := len(b.Stmts) - 1; i >= 0; i-- {
		switch s := b.Stmts[i].(type) {
		case *Block:
			return leaves(s)
		case *Instr:
			switch s.Op {
			case "ret", "exit", "trap", "bra", "brx", "call":
				return s.Guard == nil
			}
			return false
		}
	}
	return false
}

// entryWalk collects what an entry uses: its static shared variables in the
// order of first use, and its first setmaxnreg.
type entryWalk struct {
	v       *verifier
	shared  map[*Var]bool
	order   []*Var
	maxnreg *Instr
}

func (e *entryWalk) block(b *Block) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *Var:
			e.use(s)
		case *Block:
			e.block(s)
		case *Instr:
			if s.Op == "setmaxnreg" && e.maxnreg == nil {
				e.maxnreg = s
			}
			for _, a := range s.Args {
				e.operand(a)
			}
		}
	}
}

func (e *entryWalk) operand(o Operand) {
	switch o := o.(type) {
	case Sym:
		if d, ok := e.v.scope.lookup(o.Name).(*Var); ok {
			e.use(d)
		}
	case Addr:
		e.operand(o.Base)
	}
}

func (e *entryWalk) use(d *Var) {
	if d.Space == Shared && d.Linkage != "extern" && !e.shared[d] {
		e.shared[d] = true
		e.order = append(e.order, d)
	}
}

// setmaxnreg checks the register count (PTX 9.7.19.5).
func (v *verifier) setmaxnreg(in *Instr) {
	c := in.Args[0].(Int)
	if c.Value < 24 || c.Value > 256 || c.Value%8 != 0 {
		v.on(in, RuleMaxnreg, "the count is %d; it is a multiple of 8 from 24 to 256", c.Value)
	}
}
