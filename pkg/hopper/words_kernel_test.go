package hopper

func kernelWords() []word {
	nothing := func(*Kernel) {}
	return []word{
		{name: "New", why: "what every module has; the launch bounds let a thread have its share of all registers",
			record: nothing},
		{name: "Threads", why: "the launch bounds, along x", options: []Option{Threads(384)},
			record: nothing},
		{name: "Cluster", why: "a launch without a cluster size starts clusters", options: []Option{Cluster(2)},
			record: nothing},
		{name: "Kernel.Require", why: "a rule that holds records nothing",
			record: func(k *Kernel) { k.Require(true, "never said") }},
		{name: "Kernel.Name", why: "records nothing",
			record: func(k *Kernel) { k.Name() }},
		{name: "Kernel.ThreadsPerCTA", why: "records nothing",
			record: func(k *Kernel) { k.ThreadsPerCTA() }},
		{name: "Kernel.ClusterSize", why: "records nothing",
			record: func(k *Kernel) { k.ClusterSize() }},
		{name: "Kernel.SharedBytes", why: "records nothing",
			record: func(k *Kernel) { k.SharedBytes() }},
		{name: "Kernel.Module", why: "a second call gives the same module",
			record: func(k *Kernel) { _, _ = k.Module() }},
		{name: "Kernel.Int32", why: "parameters in order, each loaded once",
			record: func(k *Kernel) { k.Int32("m"); k.Int32("n") }},

		{name: "Kernel.BlockIdx", why: "dimension 0 is x",
			record: func(k *Kernel) { k.BlockIdx(0); k.BlockIdx(1); k.BlockIdx(2) }},
		{name: "Kernel.GridDim", why: "dimension 0 is x",
			record: func(k *Kernel) { k.GridDim(0); k.GridDim(1); k.GridDim(2) }},
		{name: "Kernel.ThreadIdx", why: "a CTA is along x only",
			record: func(k *Kernel) { k.ThreadIdx() }},
		{name: "Kernel.LaneIdx", why: "one special register",
			record: func(k *Kernel) { k.LaneIdx() }},
		{name: "Kernel.ClusterRank", why: "one special register",
			record: func(k *Kernel) { k.ClusterRank() }},
		{name: "Kernel.WarpIdx", why: "the shuffle tells the assembler that the warp agrees",
			record: func(k *Kernel) { k.WarpIdx() }},
		{name: "Kernel.WarpgroupIdx", why: "four warps make a warpgroup",
			record: func(k *Kernel) { k.WarpgroupIdx() }},

		{name: "Kernel.Sync", why: "barrier 0, all threads",
			record: func(k *Kernel) { k.Sync() }},
		{name: "Kernel.SyncThreads", why: "the barrier may be chosen at run time, the count may not",
			record: func(k *Kernel) {
				k.SyncThreads(1, 64)
				k.SyncThreads(k.ThreadIdx(), 128)
			}},
		{name: "Kernel.FenceProxyAsync", why: "shared memory only",
			record: func(k *Kernel) { k.FenceProxyAsync() }},
		{name: "Kernel.ClusterSync", why: "arrive and wait, with their default release and acquire", options: []Option{Cluster(2)},
			record: func(k *Kernel) { k.ClusterSync() }},
		{name: "Kernel.GridWait", why: "one instruction, by every thread",
			record: func(k *Kernel) { k.GridWait() }},
		{name: "Kernel.GridRelease", why: "a hint to the launcher; it takes no operands",
			record: func(k *Kernel) { k.GridRelease() }},
		{name: "Kernel.SetMaxRegDec", why: "the count is an immediate",
			record: func(k *Kernel) { k.SetMaxRegDec(40) }},
		{name: "Kernel.SetMaxRegInc", why: "the count is an immediate",
			record: func(k *Kernel) { k.SetMaxRegInc(232) }},
	}
}
