package emu

import (
	"fmt"

	"gohopper/pkg/hopper/device"
)

// kernel is a compiled entry.
type kernel struct {
	module *module
	prog   *program
}

// Resources has the static shared memory; the emulator assigns no registers.
func (k *kernel) Resources() device.Resources {
	return device.Resources{SharedBytes: k.prog.sharedBytes, LocalBytes: k.prog.localBytes, MaxThreads: mostThreads}
}

// Launch runs the kernel to its end. What it did wrong is in the machine's
// findings.
func (k *kernel) Launch(s device.Launch, args ...device.Arg) error {
	if err := k.module.machine.open(); err != nil {
		return err
	}
	clustered := s.Cluster != [3]int{} || k.prog.limits.explicitcluster || k.prog.limits.reqcluster[0] != 0
	if s.Cluster == [3]int{} {
		s.Cluster = k.prog.limits.reqcluster
	}
	if s.Cluster == [3]int{} {
		s.Cluster = [3]int{1, 1, 1}
	}
	l := &launch{machine: k.module.machine, module: k.module, prog: k.prog, shape: s, clustered: clustered}
	if err := l.check(); err != nil {
		return fmt.Errorf("launch of %s: %w", k.prog.fn.Name, err)
	}
	if err := l.pack(args); err != nil {
		return fmt.Errorf("launch of %s: %w", k.prog.fn.Name, err)
	}
	l.observe()
	per := l.clusters()
	g := &grid{launch: l, count: per[0] * per[1] * per[2], resident: l.residency()}
	l.machine.findings = append(l.machine.findings, g.run()...)
	if l.observer != nil {
		l.machine.findings = append(l.machine.findings, l.observer.Findings()...)
	}
	return nil
}

// check refuses what the driver refuses.
func (l *launch) check() error {
	s, lim := l.shape, l.prog.limits
	for d, axis := range []string{"x", "y", "z"} {
		mostGrid := []int{1<<31 - 1, 65535, 65535}[d]
		mostBlock := []int{1024, 1024, 64}[d]
		switch {
		case s.Grid[d] < 1 || s.Grid[d] > mostGrid:
			return fmt.Errorf("grid %s is %d; it must be 1 to %d", axis, s.Grid[d], mostGrid)
		case s.Block[d] < 1 || s.Block[d] > mostBlock:
			return fmt.Errorf("block %s is %d; it must be 1 to %d", axis, s.Block[d], mostBlock)
		case s.Cluster[d] < 1:
			return fmt.Errorf("cluster %s is %d; it must be at least 1", axis, s.Cluster[d])
		case s.Grid[d]%s.Cluster[d] != 0:
			return fmt.Errorf("grid %s is %d, not a multiple of the cluster's %d", axis, s.Grid[d], s.Cluster[d])
		case lim.reqntid[d] != 0 && s.Block[d] != lim.reqntid[d]:
			return fmt.Errorf("the block is %v; the kernel requires %v (.reqntid)", s.Block, lim.reqntid)
		case lim.reqcluster[d] != 0 && s.Cluster[d] != lim.reqcluster[d]:
			return fmt.Errorf("the cluster is %v; the kernel requires %v (.reqnctapercluster)", s.Cluster, lim.reqcluster)
		}
	}
	threads := volume(s.Block)
	switch n := volume(s.Cluster); {
	case threads > mostThreads:
		return fmt.Errorf("the block has %d threads; at most %d are possible", threads, mostThreads)
	case lim.maxntid[0] != 0 && threads > volume(lim.maxntid):
		return fmt.Errorf("the block has %d threads; the kernel allows %d (.maxntid)", threads, volume(lim.maxntid))
	case n > mostClusterCTAs:
		return fmt.Errorf("the cluster has %d CTAs; at most %d are possible", n, mostClusterCTAs)
	case lim.maxcluster != 0 && n > lim.maxcluster:
		return fmt.Errorf("the cluster has %d CTAs; the kernel allows %d (.maxclusterrank)", n, lim.maxcluster)
	case s.Shared < 0:
		return fmt.Errorf("%d bytes of dynamic shared memory", s.Shared)
	case l.sharedBytes() > mostShared:
		return fmt.Errorf("the CTA needs %d bytes of shared memory (%d static, %d dynamic); at most %d are possible",
			l.sharedBytes(), l.prog.sharedBytes, s.Shared, mostShared)
	case l.prog.sharedBytes > mostStaticShared:
		return fmt.Errorf("the kernel declares %d bytes of static shared memory; beyond %d it must be dynamic (.extern .shared)",
			l.prog.sharedBytes, mostStaticShared)
	}
	return nil
}

// pack lays the arguments out as the entry's parameters.
func (l *launch) pack(args []device.Arg) error {
	if len(args) != len(l.prog.params) {
		return fmt.Errorf("%d arguments for %d parameters", len(args), len(l.prog.params))
	}
	l.params = newBlock(0, l.prog.paramBytes, "the kernel's parameters")
	l.params.fixed = true
	for i, p := range l.prog.params {
		if len(args[i]) != p.bytes {
			return fmt.Errorf("argument %d has %d bytes; the parameter %s has %d", i, len(args[i]), p.name, p.bytes)
		}
		copy(l.params.bytes[p.offset:], args[i])
	}
	l.params.wrote(0, l.prog.paramBytes)
	return nil
}

// sharedBytes is a CTA's shared memory, static and dynamic.
func (l *launch) sharedBytes() int { return l.prog.sharedBytes + l.shape.Shared }

// clusters is the shape of the grid in clusters.
func (l *launch) clusters() (n [3]int) {
	for d := range n {
		n[d] = l.shape.Grid[d] / l.shape.Cluster[d]
	}
	return n
}

// residency is how many clusters fit on the device at a time.
func (l *launch) residency() int {
	threads := alignUp(volume(l.shape.Block), lanes)
	perSM := min(mostThreadsPerSM/threads, mostSharedPerSM/(l.sharedBytes()+sharedBase), mostCTAsPerSM)
	return max(1, l.machine.config.SMs*max(1, perSM)/volume(l.shape.Cluster))
}

// registers is what the assembler would give each thread at launch: all that
// the launch bounds leave, since setmaxnreg needs such a cap. The register file
// has a part for each of four schedulers and the warps are dealt out over them,
// so the fullest part decides: nine warps have no more each than twelve. PTX
// does not say so; ptxas of CUDA 12.9 and 13.0 assigns just this.
func (l *launch) registers() int {
	if n := l.prog.limits.maxnreg; n != 0 {
		return n
	}
	warps := alignUp(volume(l.shape.Block), lanes) / lanes * max(1, l.prog.limits.minctas)
	fullest := alignUp(warps, schedulers) / schedulers
	share := registersPerSM / schedulers / (fullest * lanes)
	return min(mostRegisters+1, share) / registerAllocation * registerAllocation
}

func volume(box [3]int) int { return box[0] * box[1] * box[2] }
