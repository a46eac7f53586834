package inspect

import (
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// CountPTX counts the instructions of each kernel of a module, and of each
// device function that has a body.
func CountPTX(m *ptx.Module) []Kernel {
	var kernels []Kernel
	matters := Matters()
	for _, d := range m.Decls {
		f, ok := d.(*ptx.Func)
		if !ok || f.Body == nil {
			continue
		}
		k := Kernel{Name: f.Name, Entry: f.Entry, PTX: newCode()}
		for _, directive := range f.Directives {
			if directive.Name == "maxntid" || directive.Name == "reqntid" {
				k.Threads = product(directive.Values)
			}
		}
		countBlock(f.Body, k.PTX, matters)
		kernels = append(kernels, k)
	}
	return kernels
}

func countBlock(b *ptx.Block, c *Code, matters []Matter) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			countBlock(s, c, matters)
		case *ptx.Instr:
			c.add(append([]string{s.Op}, s.Mods...), func(m Matter) []pattern { return m.ptx }, matters)
		}
	}
}

func product(values []int) int {
	p := 1
	for _, v := range values {
		p *= v
	}
	return p
}

// architecture is what to assemble a module for: its own target where that is a
// newer one or names a variant, else Hopper with its own instructions.
func architecture(m *ptx.Module) string {
	const hopper = "sm_90a"
	if len(m.Target) == 0 {
		return hopper
	}
	target := m.Target[0]
	if strings.HasPrefix(target, "sm_1") || strings.HasSuffix(target, "a") || strings.HasSuffix(target, "f") {
		return target
	}
	return hopper
}
