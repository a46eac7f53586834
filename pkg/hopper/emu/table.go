package emu

import "gohopper/pkg/hopper/ptx"

// family compiles the instructions of one base opcode ("add", "mbarrier"). A
// form it does not know it refuses with c.unsupported; the first refusal is
// the error of the load.
type family func(c *compiler, in *ptx.Instr) op

// families is the instruction table, by base opcode. A form that a family
// does not know is refused when the module is loaded, with its line.
var families = joinTables(
	scalarFamilies, memoryFamilies, atomicFamilies, controlFamilies, warpFamilies, barrierFamilies, mbarrierFamilies,
	clusterFamilies, copyFamilies, tensorFamilies, miscFamilies,
)

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
