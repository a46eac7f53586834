package emu

import "strings"

// specialRegister finds the row of a special register (PTX 10). Those that
// never change have one row each, filled when a warp starts; clocks are read
// before each instruction that names them.
func (c *compiler) specialRegister(name string) register {
	if r, ok := c.fixed[name]; ok {
		return r
	}
	s, kind, changes := specialNamed(name)
	if name == "%reserved_smem_offset_1" {
		c.prog.scratch = true
	}
	switch {
	case s.fill32 != nil:
		s.row = c.newRegister("b32").row
	case s.fill64 != nil:
		s.row = c.newRegister("b64").row
	case s.pred != nil:
		s.row = c.newRegister("pred").row
	case strings.HasPrefix(name, "%envreg"):
		c.failf("%s is set by a cooperative launch, which the emulator does not have: synchronise the grid by launching a second kernel", name)
		return register{}
	case strings.HasPrefix(name, "%"):
		c.failf("%s is neither declared nor a special register that the emulator knows", name)
		return register{}
	default:
		c.failf("%s is not declared", name)
		return register{}
	}
	bits := [...]int{kind32: 32, kind64: 64, kindPred: 1}[kind]
	if changes {
		c.before = append(c.before, s)
	} else {
		c.prog.special = append(c.prog.special, s)
		c.fixed[name] = register{kind, s.row, bits}
	}
	return register{kind, s.row, bits}
}

// specialNamed describes a special register; the zero special if unknown.
func specialNamed(name string) (s special, kind regKind, changes bool) {
	switch name {
	case "%clock64", "%globaltimer":
		return special{fill64: func(w *warp, _ int) uint64 { return uint64(w.clock()) }}, kind64, true
	case "%clock", "%globaltimer_lo":
		return special{fill32: func(w *warp, _ int) uint32 { return uint32(w.clock()) }}, kind32, true
	case "%clock_hi", "%globaltimer_hi":
		return special{fill32: func(w *warp, _ int) uint32 { return uint32(w.clock() >> 32) }}, kind32, true
	case "%gridid":
		return special{fill64: func(*warp, int) uint64 { return 1 }}, kind64, false
	case "%is_explicit_cluster":
		return special{pred: func(w *warp, _ int) bool { return w.cta.cluster.launch.clustered }}, kindPred, false
	}
	if f := special32(name); f != nil {
		return special{fill32: f}, kind32, false
	}
	return special{}, 0, false
}

// clock is the cluster's time at the present instruction.
func (w *warp) clock() int64 { return w.cta.cluster.now + int64(w.used) }

// special32 computes a fixed 32-bit special register; nil if unknown.
func special32(name string) func(w *warp, lane int) uint32 {
	base, axis, _ := strings.Cut(name, ".")
	if axis != "" {
		d := strings.Index("xyz", axis)
		if axis == "w" {
			return func(*warp, int) uint32 { return 0 }
		}
		if d < 0 || len(axis) != 1 {
			return nil
		}
		vector := specialVector(base)
		if vector == nil {
			return nil
		}
		return func(w *warp, lane int) uint32 { return uint32(vector(w, lane)[d]) }
	}
	scalar := func(f func(w *warp) int) func(*warp, int) uint32 {
		return func(w *warp, _ int) uint32 { return uint32(f(w)) }
	}
	switch base {
	case "%laneid":
		return func(_ *warp, lane int) uint32 { return uint32(lane) }
	case "%lanemask_eq":
		return func(_ *warp, lane int) uint32 { return 1 << lane }
	case "%lanemask_lt":
		return func(_ *warp, lane int) uint32 { return 1<<lane - 1 }
	case "%lanemask_le":
		return func(_ *warp, lane int) uint32 { return 2<<lane - 1 }
	case "%lanemask_gt":
		return func(_ *warp, lane int) uint32 { return ^uint32(2<<lane - 1) }
	case "%lanemask_ge":
		return func(_ *warp, lane int) uint32 { return ^uint32(1<<lane - 1) }
	case "%warpid":
		return scalar(func(w *warp) int { return w.index })
	case "%nwarpid":
		return scalar(func(*warp) int { return 64 })
	case "%smid":
		return scalar(func(w *warp) int { return w.cta.linear % w.cta.cluster.launch.machine.config.SMs })
	case "%nsmid":
		return scalar(func(w *warp) int { return w.cta.cluster.launch.machine.config.SMs })
	case "%cluster_ctarank":
		return scalar(func(w *warp) int { return w.cta.rank })
	case "%cluster_nctarank":
		return scalar(func(w *warp) int { return len(w.cta.cluster.ctas) })
	case "%dynamic_smem_size":
		return scalar(func(w *warp) int { return w.cta.cluster.launch.shape.Shared })
	case "%total_smem_size":
		return scalar(func(w *warp) int { return w.cta.cluster.launch.sharedBytes() })
	case "%aggr_smem_size":
		return scalar(func(w *warp) int { return sharedBase + w.cta.cluster.launch.sharedBytes() })
	case "%reserved_smem_offset_begin":
		return scalar(func(*warp) int { return 0 })
	case "%reserved_smem_offset_1":
		return scalar(func(*warp) int { return scratchBase })
	case "%reserved_smem_offset_end":
		return scalar(func(*warp) int { return reservedEnd })
	case "%reserved_smem_offset_cap":
		return scalar(func(*warp) int { return sharedBase })
	}
	return nil
}

// specialVector computes a special register with x, y and z.
func specialVector(base string) func(w *warp, lane int) [3]int {
	switch base {
	case "%tid":
		return func(w *warp, lane int) [3]int {
			return unflatten(w.index*lanes+lane, w.cta.cluster.launch.shape.Block)
		}
	case "%ntid":
		return func(w *warp, _ int) [3]int { return w.cta.cluster.launch.shape.Block }
	case "%ctaid":
		return func(w *warp, _ int) [3]int { return w.cta.at }
	case "%nctaid":
		return func(w *warp, _ int) [3]int { return w.cta.cluster.launch.shape.Grid }
	case "%clusterid":
		return func(w *warp, _ int) [3]int { return w.cta.cluster.at }
	case "%nclusterid":
		return func(w *warp, _ int) [3]int { return w.cta.cluster.launch.clusters() }
	case "%cluster_ctaid":
		return func(w *warp, _ int) [3]int {
			return unflatten(w.cta.rank, w.cta.cluster.launch.shape.Cluster)
		}
	case "%cluster_nctaid":
		return func(w *warp, _ int) [3]int { return w.cta.cluster.launch.shape.Cluster }
	}
	return nil
}
