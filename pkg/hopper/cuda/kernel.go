//go:build cuda && cgo

package cuda

import (
	"fmt"

	"gohopper/pkg/hopper/device"
)

// kernel is an entry of a loaded module.
type kernel struct {
	module    *module
	name      string
	handle    functionHandle
	params    []int // bytes of each parameter
	resources device.Resources
	cluster   [3]int // that the entry fixes, zero where it does not
	dynamic   int    // most dynamic shared memory, in bytes, allowed so far
	large     bool   // clusters over the portable size are allowed
}

// defaultShared is how much shared memory, static and dynamic together, a
// kernel may have before the function attribute must be raised (CUDA
// Programming Guide, compute capability 9.x; that static memory counts was seen
// on an H200), and portableCluster the largest cluster every card takes.
const (
	defaultShared   = 48 << 10
	portableCluster = 8
)

// Kernel looks up an entry and asks the driver what it made of it.
func (m *module) Kernel(name string) (device.Kernel, error) {
	if m.closed {
		return nil, fmt.Errorf("cuda: kernel %q: its module is closed", name)
	}
	k := &kernel{module: m, name: name}
	var r result
	err := m.gpu.on("cuModuleGetFunction", func() result {
		k.handle, r = getFunction(m.handle, name)
		return r
	})
	if r == notFound {
		return nil, fmt.Errorf("cuda: the module has no .entry %q: check the name, and that it is .visible", name)
	}
	if err != nil {
		return nil, err
	}
	if err := m.gpu.on("cuFuncGetAttribute", k.describe); err != nil {
		return nil, err
	}
	return k, nil
}

// describe reads the kernel's parameters and attributes.
func (k *kernel) describe() (r result) {
	if k.params, r = paramBytes(k.handle); r != success {
		return r
	}
	read := func(attr attribute) (v int) {
		if r == success {
			v, r = getAttribute(k.handle, attr)
		}
		return v
	}
	k.resources = device.Resources{
		Registers:   read(attrRegisters),
		LocalBytes:  read(attrLocal),
		SharedBytes: read(attrStaticShared),
		MaxThreads:  read(attrMaxThreads),
	}
	k.dynamic = defaultShared - k.resources.SharedBytes
	k.cluster = [3]int{read(attrClusterX), read(attrClusterY), read(attrClusterZ)}
	return r
}

func (k *kernel) Resources() device.Resources { return k.resources }

// launched is a kernel and the shape it was launched in.
type launched struct {
	kernel string
	device.Launch
}

// String describes a launch: "kernel add, grid 4x1x1, block 128x1x1".
func (l launched) String() string {
	s := fmt.Sprintf("kernel %s, grid %dx%dx%d, block %dx%dx%d", l.kernel,
		l.Grid[0], l.Grid[1], l.Grid[2], l.Block[0], l.Block[1], l.Block[2])
	if l.Cluster != ([3]int{}) {
		s += fmt.Sprintf(", cluster %dx%dx%d", l.Cluster[0], l.Cluster[1], l.Cluster[2])
	}
	if l.Shared > 0 {
		s += fmt.Sprintf(", %d bytes of dynamic shared memory", l.Shared)
	}
	return s
}

// Launch enqueues the kernel. What the card cannot do is refused here, in
// words; what the driver refuses comes back with the launch described.
func (k *kernel) Launch(l device.Launch, args ...device.Arg) error {
	g, this := k.module.gpu, launched{k.name, l}
	if err := k.check(l, args); err != nil {
		return fmt.Errorf("cuda: %v: %w", this, err)
	}
	err := g.on("cuLaunchKernelEx", func() result {
		if r := k.allow(l); r != success {
			return r
		}
		return launch(k.handle, l, args)
	})
	if err != nil {
		return fmt.Errorf("%v: %w", this, err)
	}
	g.pending++
	g.last = this
	return nil
}

// allow raises the two limits that a kernel must ask to pass.
func (k *kernel) allow(l device.Launch) result {
	if l.Shared > k.dynamic {
		if r := setAttribute(k.handle, attrDynamicShared, l.Shared); r != success {
			return r
		}
		k.dynamic = l.Shared
	}
	if product(k.clusterOf(l)) > portableCluster && !k.large {
		if r := setAttribute(k.handle, attrAnyClusterSize, 1); r != success {
			return r
		}
		k.large = true
	}
	return success
}

// check holds a launch against the kernel and the card.
func (k *kernel) check(l device.Launch, args []device.Arg) error {
	if k.module.closed {
		return fmt.Errorf("its module is closed")
	}
	if len(args) != len(k.params) {
		return fmt.Errorf("%d arguments for %d parameters", len(args), len(k.params))
	}
	for i, a := range args {
		if len(a) != k.params[i] {
			return fmt.Errorf("argument %d has %d bytes and the parameter %d", i, len(a), k.params[i])
		}
	}
	for i, n := range l.Grid {
		if n < 1 {
			return fmt.Errorf("grid dimension %d is %d: it must be at least 1", i, n)
		}
	}
	for i, n := range l.Block {
		if n < 1 {
			return fmt.Errorf("block dimension %d is %d: it must be at least 1", i, n)
		}
	}
	if n := product(l.Block); n > k.resources.MaxThreads {
		return fmt.Errorf("%d threads per CTA: this kernel, with %d registers a thread, may have %d",
			n, k.resources.Registers, k.resources.MaxThreads)
	}
	limit := k.module.gpu.info.SharedBytes - k.resources.SharedBytes
	if l.Shared < 0 || l.Shared > limit {
		return fmt.Errorf("%d bytes of dynamic shared memory: this kernel, with %d bytes of its own, may have 0 to %d",
			l.Shared, k.resources.SharedBytes, limit)
	}
	return k.checkCluster(l)
}

// checkCluster holds the launch's clusters against the entry's and the grid.
func (k *kernel) checkCluster(l device.Launch) error {
	if k.cluster != ([3]int{}) && l.Cluster != ([3]int{}) && l.Cluster != k.cluster {
		return fmt.Errorf("clusters of %v: the entry fixes %v", l.Cluster, k.cluster)
	}
	size := k.clusterOf(l)
	if size == ([3]int{}) {
		return nil
	}
	for i, n := range size {
		if n < 1 || l.Grid[i]%n != 0 {
			return fmt.Errorf("clusters of %v in a grid of %v: each must divide its side of the grid", size, l.Grid)
		}
	}
	return nil
}

// clusterOf is the size of a launch's clusters, zero where it has none.
func (k *kernel) clusterOf(l device.Launch) [3]int {
	if l.Cluster != ([3]int{}) {
		return l.Cluster
	}
	return k.cluster
}

func product(n [3]int) int { return n[0] * n[1] * n[2] }
