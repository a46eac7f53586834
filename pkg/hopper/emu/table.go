package emu

import (
	"fmt"

	"gohopper/pkg/hopper/ptx"
)

// family compiles the instructions of one base opcode ("add", "mbarrier").
type family func(c *compiler, in *ptx.Instr) (op, error)

// families is the instruction table, by base opcode. A form that a family
// does not know is refused when the module is loaded, with its line.
var families = merge(
	integerFamilies, logicFamilies, floatFamilies, halfFamilies, compareFamilies, convertFamilies,
	memoryFamilies, atomicFamilies, controlFamilies, warpFamilies, barrierFamilies, mbarrierFamilies,
	clusterFamilies, copyFamilies, tensorFamilies, miscFamilies,
)

func merge(tables ...map[string]family) map[string]family {
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

// unsupported is the error of a form that a family does not know.
func unsupported(in *ptx.Instr) error {
	return fmt.Errorf("the emulator does not run %s", in.Name())
}
