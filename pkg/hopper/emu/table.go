package emu

import "gohopper/pkg/hopper/ptx"

// family compiles the instructions of one base opcode ("add", "mbarrier"). A
// form it does not know it refuses with c.unsupported; the first refusal is
// the error of the load.
type family func(c *compiler, in *ptx.Instr) op

// families is the instruction table, by base opcode. A form that a family
// does not know is refused when the module is loaded, with its line.
var families = joinTables(
	scalarFamilies, anyOrder(memoryForms), anyOrder(atomicForms), join(controlForms), join(warpForms), anyOrder(barrierForms), anyOrder(mbarrierForms),
	anyOrder(clusterForms), join(copyForms, im2colForms), tensorFamilies, anyOrder(miscForms),
)

// anyOrder is join for opcodes whose modifiers compilers write in any order
// ("atom.add.relaxed.gpu.u32"): their tables have the manual's.
func anyOrder(table map[string][]form) map[string]family {
	families := map[string]family{}
	for name, forms := range table {
		families[name] = func(c *compiler, in *ptx.Instr) op {
			for _, f := range forms {
				if f.hasAll(in.Mods) {
					return f.compile(c, in)
				}
			}
			return c.unsupported()
		}
	}
	return families
}

func joinTables(tables ...map[string]family) map[string]family {
	all := map[string]family{}
	for _, t := range tables {
		for name, f := range t {
			if all[name] != nil {
				panic("emulator: two families compile " + name)
			}
			all[name] = f
		}
	}
	return all
}
