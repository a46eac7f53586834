package emu

import "slices"

// Forms is the instruction table as text, sorted: a line for each form, an
// opcode and its modifiers. "s32|u32" is a choice, a leading "?" makes a word
// optional. Words are in the order of the PTX manual. What no line describes is
// refused when a module is loaded. The shape of wgmma.mma_async, which stands behind "aligned", is left out.
func Forms() []string {
	lines := []string{"call ?uni"} // which the compiler inlines
	for _, t := range append([]map[string][]form{
		memoryForms, atomicForms, controlForms, warpForms, barrierForms, mbarrierForms, clusterForms,
		copyForms, ldmatrixForms, mmaForms, wmmaForms, {"wgmma": wgmmaForms}, miscForms,
	}, scalarTables...) {
		for name, forms := range t {
			for _, f := range forms {
				lines = append(lines, name+" "+f.mods)
			}
		}
	}
	slices.Sort(lines)
	return lines
}
