// Package excerpt finds the pieces of files that prose names instead of
// pasting them: a region of a source file, an instruction of a golden PTX
// file, a count of a golden count file, a field of a recorded report, a figure
// that was noted by hand.
//
// In a page a link to one of these files with a fragment is a directive, and
// what it names takes the link's place:
//
//	[the main loop](kernel.go#mainloop)              lines between //region mainloop and //endregion mainloop
//	[one multiply](testdata/kernel.ptx#wgmma)        the first instruction with this opcode
//	[multiplies](testdata/counts.txt#wgmma)          how many the kernel has
//	[speed](../../plots/data/x.json#v6/f16/8192x8192x8192/tflops)
//	[a variant's](../../plots/data/x.json#v6:cluster/no%20cluster/f16/8192x8192x8192/tflops)
//	[clock](../../plots/data/profile.json#v7/clock_ghz)
//
// The package must not know how a page is rendered. Every error names the file
// and what is missing from it.
package excerpt
