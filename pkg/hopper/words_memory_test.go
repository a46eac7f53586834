package hopper

func sharedWords() []word {
	return []word{
		{name: "Kernel.Shared", why: "at a multiple of 1024 bytes, behind what is there already",
			record: func(k *Kernel) {
				k.Mbarrier().Arrive()
				k.Shared(F16, 8, 64, Swizzle128B).Addr()
				k.Shared(BF16, 8, 32, Swizzle64B).Addr()
				k.Shared(F16, 8, 64, Swizzle128B).Addr()
			}},
		{name: "Kernel.SharedRing", why: "the stages lie one after the other",
			record: func(k *Kernel) {
				k.SharedRing(4, F16, 128, 64, Swizzle128B)
				k.Shared(F16, 8, 64, Swizzle128B).Addr()
			}},
		{name: "Ring.Stage", why: "a constant stage costs nothing, one in a register a multiplication",
			record: func(k *Kernel) {
				r := k.SharedRing(4, F16, 128, 64, Swizzle128B)
				r.Stage(3).Addr()
				r.Stage(k.Var(1)).Addr()
			}},
		{name: "Tile.Bytes", why: "a Go number, not an instruction",
			record: func(k *Kernel) { k.Var(k.Shared(F16, 128, 64, Swizzle128B).Bytes()) }},
		{name: "Tile.Addr", why: "an address in a register",
			record: func(k *Kernel) { k.Shared(F16, 8, 64, Swizzle128B).Addr() }},
		{name: "Tile.From", why: "a constant row costs nothing, one in a register a multiplication; both can be combined",
			record: func(k *Kernel) {
				t := k.Shared(F16, 128, 64, Swizzle128B)
				t.From(64, 64).Addr()
				t.From(64, 64).From(k.Int32("row"), 8).Addr()
			}},

		{name: "Kernel.Mbarrier", why: "8 bytes each",
			record: func(k *Kernel) {
				k.Mbarrier().Arrive()
				k.Mbarrier().Arrive()
			}},
		{name: "Kernel.Mbarriers", why: "8 bytes a stage",
			record: func(k *Kernel) {
				k.Mbarriers(4)
				k.Mbarrier().Arrive()
			}},
		{name: "Mbarriers.Stage", why: "a constant stage costs nothing, one in a register a multiplication",
			record: func(k *Kernel) {
				b := k.Mbarriers(4)
				b.Stage(3).Arrive()
				b.Stage(k.Var(1)).Arrive()
			}},
		{name: "Mbarrier.Init", why: "the count is an immediate",
			record: func(k *Kernel) { k.Mbarrier().Init(2) }},
		{name: "Mbarrier.Arrive", why: "the phase that it returns is of no interest",
			record: func(k *Kernel) { k.Mbarrier().Arrive() }},
		{name: "Mbarrier.ArriveExpectTx", why: "one instruction for the arrival and the bytes",
			record: func(k *Kernel) { k.Mbarrier().ArriveExpectTx(32768) }},
		{name: "Mbarrier.ArriveRemote", why: "the default order adds nothing to the opcode", options: []Option{Cluster(2)},
			record: func(k *Kernel) { k.Mbarrier().ArriveRemote(1, ReleaseCTA) }},
		{name: "Mbarrier.ArriveRemote", why: "the rank may be in a register", options: []Option{Cluster(2)},
			record: func(k *Kernel) { k.Mbarrier().ArriveRemote(k.ClusterRank(), ReleaseCluster) }},
		{name: "Mbarrier.ArriveRemote", why: "a relaxed one needs PTX 8.6", options: []Option{Cluster(2)},
			record: func(k *Kernel) { k.Mbarrier().ArriveRemote(0, Relaxed) }},
		{name: "Mbarrier.Wait", why: "a loop, since one try may give up",
			record: func(k *Kernel) { k.Mbarrier().Wait(k.Var(0)) }},
		{name: "Kernel.FenceMbarrierInit", why: "one instruction",
			record: func(k *Kernel) { k.FenceMbarrierInit() }},
	}
}

func copyWords() []word {
	return []word{
		{name: "Kernel.TensorMap", why: "128 bytes by value, reached through a generic address",
			record: func(k *Kernel) { k.TensorMap("a") }},
		{name: "TensorMap.At", why: "the innermost coordinate comes first; constants and registers mix",
			record: func(k *Kernel) { k.TMALoad(oneTile(k), k.TensorMap("a").At(64, k.Int32("row")), k.Mbarrier()) }},
		{name: "Kernel.TMALoad", why: "tile, box, barrier",
			record: func(k *Kernel) { k.TMALoad(oneTile(k), k.TensorMap("a").At(0, 0), k.Mbarrier()) }},
		{name: "Kernel.TMALoadMulticast", why: "the mask is a 16-bit register", options: []Option{Cluster(2)},
			record: func(k *Kernel) { k.TMALoadMulticast(oneTile(k), k.TensorMap("a").At(0, 0), k.Mbarrier(), 0b11) }},
		{name: "Kernel.PrefetchTensorMap", why: "the generic address of the parameter",
			record: func(k *Kernel) { k.PrefetchTensorMap(k.TensorMap("a")) }},
		{name: "Kernel.TMAStore", why: "box, tile",
			record: func(k *Kernel) { k.TMAStore(k.TensorMap("c").At(0, 0), oneTile(k)) }},
		{name: "Kernel.TMACommit", why: "one instruction",
			record: func(k *Kernel) { k.TMACommit() }},
		{name: "Kernel.TMAWaitRead", why: "the source may be written again",
			record: func(k *Kernel) { k.TMAWaitRead(1) }},
		{name: "Kernel.TMAWait", why: "the writes are done",
			record: func(k *Kernel) { k.TMAWait(0) }},
	}
}

func oneTile(k *Kernel) Tile { return k.Shared(F16, 64, 64, Swizzle128B) }
