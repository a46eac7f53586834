package plots

import "fmt"

// kernel is what the records do not say of a lesson's kernel.
type kernel struct {
	threads int // of a CTA
	rows    int // of the tile of C
	cluster int // CTAs that share the tile's columns, and so B
}

// kernels is by lesson. A test compares it with the kernels' goldens and with
// what the records do say.
func kernels() map[string]kernel {
	return map[string]kernel{
		"v0": {256, 128, 1},
		"v1": {128, 128, 1},
		"v2": {128, 128, 1},
		"v3": {160, 128, 1},
		"v4": {288, 128, 1},
		"v5": {288, 128, 1},
		"v6": {384, 128, 2},
		"v7": {384, 128, 2},
	}
}

// kernel looks a step's kernel up.
func (s step) kernel() (kernel, error) {
	k, ok := kernels()[s.Name]
	if !ok {
		return k, fmt.Errorf("plots/kernels.go does not know the kernel of %s, which is on the ladder: say there how many threads, rows and CTAs it has", s.Name)
	}
	return k, nil
}
