package emu

import "gohopper/pkg/hopper/ptx"

// program is a PTX entry made ready to run. It is shared by all warps and
// never written once compiled.
type program struct {
	mod  *ptx.Module
	fn   *ptx.Func
	code []inst

	// Sizes of the register files, constants included.
	rows32, rows64, preds int
	// Constant rows, filled when a warp starts: row index and value.
	const32 []const32
	const64 []const64
}

type const32 struct {
	row   int
	value uint32
}

type const64 struct {
	row   int
	value uint64
}

// inst is one instruction.
type inst struct {
	run     op
	src     *ptx.Instr
	guard   int  // row of the guard predicate, -1 for none
	not     bool // the guard is negated
	aligned bool // all live lanes of the warp must execute it together
}
