package emu

import (
	"slices"
	"sort"

	"gohopper/pkg/hopper/ptx"
)

// program is a PTX entry made ready to run. Calls are inlined, so it is one
// flat list. It is shared by all warps and never written once compiled.
type program struct {
	mod  *ptx.Module
	fn   *ptx.Func
	code []inst

	// The register files as a warp finds them: constants in their rows,
	// poison in every register. A starting warp copies them.
	rows32 []row32
	rows64 []row64
	preds  []mask
	// special rows are filled after that, once per warp.
	special []special

	params      []param
	paramBytes  int
	sharedBytes int  // static shared memory, from offset sharedBase
	scratch     bool // the kernel uses reserved shared memory, from scratchBase
	sharedAlign int  // of the dynamic part
	sharedVars  []named
	localBytes  int // per thread
	limits      limits
}

// sharedFirst is the first offset in shared memory that the kernel may touch.
func (p *program) sharedFirst() int {
	if p.scratch {
		return scratchBase
	}
	return sharedBase
}

// debug reports whether the module was compiled for a debugger, as its target
// says: ".target sm_90a, debug" (PTX 11.1.2).
func (p *program) debug() bool { return slices.Contains(p.mod.Target, "debug") }

// param is a kernel parameter in the param window.
type param struct {
	name          string
	offset, bytes int
}

// named is a variable in shared memory, for messages.
type named struct {
	name          string
	offset, bytes int
}

// limits are the entry's performance and cluster directives; zero where absent.
type limits struct {
	reqntid, maxntid, reqcluster [3]int
	maxcluster, maxnreg          int
	explicitcluster              bool
	minctas                      int
}

// inst is one instruction.
type inst struct {
	run   op
	src   *ptx.Instr
	from  *site      // the calls that it is inlined in; nil in the entry's own code
	told  *ptx.Instr // src as a sink is told of it: its source has those calls
	guard int        // row of the guard predicate, -1 for none
	not   bool       // the guard is negated
}

// special is a row that holds a special register.
type special struct {
	fill32 func(w *warp, lane int) uint32
	fill64 func(w *warp, lane int) uint64
	pred   func(w *warp, lane int) bool
	row    int
}

// fill computes the row for every lane of w.
func (s special) fill(w *warp) {
	for lane := range lanes {
		switch {
		case s.fill32 != nil:
			w.r[s.row][lane] = s.fill32(w, lane)
		case s.fill64 != nil:
			w.d[s.row][lane] = s.fill64(w, lane)
		case s.pred(w, lane):
			w.p[s.row] |= 1 << lane
		default:
			w.p[s.row] &^= 1 << lane
		}
	}
}

// sharedName names the variable at a shared offset, "full+8"; "" for none.
func (p *program) sharedName(offset int) string {
	i := sort.Search(len(p.sharedVars), func(i int) bool { return p.sharedVars[i].offset > offset }) - 1
	if i < 0 {
		return ""
	}
	v := p.sharedVars[i]
	if v.bytes > 0 && offset >= v.offset+v.bytes {
		return ""
	}
	if offset == v.offset {
		return v.name
	}
	return v.name + "+" + itoa(offset-v.offset)
}
