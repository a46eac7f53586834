package hopper

// scopeMistakes are words that the wrong threads, or CTAs, would execute.
func scopeMistakes() []mistake {
	var all []mistake
	for _, c := range []struct {
		word, group string
		call        func(k *Kernel) string
	}{
		{"Sync", "CTA",
			func(k *Kernel) string { k.OneThread(func() { k.Sync() }); return here() }},
		{"SyncThreads", "warp",
			func(k *Kernel) string { k.OneThread(func() { k.SyncThreads(1, 32) }); return here() }},
		{"ClusterSync", "cluster",
			func(k *Kernel) string { k.OneThread(func() { k.ClusterSync() }); return here() }},
		{"WarpIdx", "warp",
			func(k *Kernel) string { k.OneThread(func() { k.WarpIdx() }); return here() }},
		{"WarpgroupIdx", "warp",
			func(k *Kernel) string { k.OneThread(func() { k.WarpgroupIdx() }); return here() }},
		{"ElectOne", "warp",
			func(k *Kernel) string { k.OneThread(func() { k.ElectOne(func() {}) }); return here() }},
		{"Ldmatrix4", "warp",
			func(k *Kernel) string { k.OneThread(func() { k.Ldmatrix4(k.ThreadIdx(), 0) }); return here() }},
		{"MmaSync", "warp", func(k *Kernel) string {
			acc, f := k.WarpAccumulator(16, 8), k.Ldmatrix4(k.ThreadIdx(), 0)
			k.OneThread(func() { k.MmaSync(acc, 0, 0, F16, f, f[:2]) })
			return previous(here(), 1)
		}},
		{"StoreGlobal", "warp", func(k *Kernel) string {
			n, acc := k.Int32("n"), k.WarpAccumulator(16, 8)
			c := k.Matrix("c", F16, n, n)
			k.OneThread(func() { k.StoreGlobal(c, n, n, acc) })
			return previous(here(), 1)
		}},
		{"StoreGlobal", "warpgroup", func(k *Kernel) string {
			n, acc := k.Int32("n"), k.Accumulator(64, 8)
			c := k.Matrix("c", F16, n, n)
			k.OneThread(func() { k.StoreGlobal(c, n, n, acc) })
			return previous(here(), 1)
		}},
		{"Stmatrix", "warpgroup", func(k *Kernel) string {
			tile, acc := oneTile(k), k.Accumulator(64, 64)
			k.OneThread(func() { k.Stmatrix(tile, acc, 0, 0) })
			return previous(here(), 1)
		}},
		{"Wgmma", "warpgroup", func(k *Kernel) string {
			tile, acc := oneTile(k), k.Accumulator(64, 64)
			k.OneThread(func() { k.Wgmma(acc, tile, tile) })
			return previous(here(), 1)
		}},
		{"WgmmaFence", "warpgroup",
			func(k *Kernel) string { k.OneThread(func() { k.WgmmaFence() }); return here() }},
		{"WgmmaCommit", "warpgroup",
			func(k *Kernel) string { k.OneThread(func() { k.WgmmaCommit() }); return here() }},
		{"WgmmaWait", "warpgroup",
			func(k *Kernel) string { k.OneThread(func() { k.WgmmaWait(0) }); return here() }},
		{"SetMaxRegDec", "warpgroup",
			func(k *Kernel) string { k.OneThread(func() { k.SetMaxRegDec(24) }); return here() }},
		{"SetMaxRegInc", "warpgroup",
			func(k *Kernel) string { k.OneThread(func() { k.SetMaxRegInc(240) }); return here() }},
	} {
		all = append(all, mistake{name: c.word + " of a " + c.group + " by one thread", call: c.call, options: []Option{Cluster(2)},
			want: c.word + " inside OneThread: the whole " + c.group + " executes it together and one thread alone may not; move it out of the body"})
	}

	for _, c := range []struct {
		word string
		call func(k *Kernel) string
	}{
		{"Accumulator", func(k *Kernel) string { k.Accumulator(64, 8); return here() }},
		{"WgmmaFence", func(k *Kernel) string { k.WgmmaFence(); return here() }},
		{"WgmmaCommit", func(k *Kernel) string { k.WgmmaCommit(); return here() }},
		{"WgmmaWait", func(k *Kernel) string { k.WgmmaWait(0); return here() }},
		{"SetMaxRegDec", func(k *Kernel) string { k.SetMaxRegDec(24); return here() }},
		{"SetMaxRegInc", func(k *Kernel) string { k.SetMaxRegInc(240); return here() }},
	} {
		all = append(all, mistake{name: c.word + " without a warpgroup", call: c.call, options: []Option{Threads(96)},
			want: c.word + " in a CTA of 96 threads: it is for a warpgroup, so use Threads(128) or more"})
	}

	for _, c := range []struct {
		word string
		call func(k *Kernel) string
	}{
		{"ClusterSync", func(k *Kernel) string { k.ClusterSync(); return here() }},
		{"ArriveRemote", func(k *Kernel) string { k.Mbarrier().ArriveRemote(0, ReleaseCTA); return here() }},
		{"TMALoadMulticast", func(k *Kernel) string {
			tile, a, full := oneTile(k), k.TensorMap("a"), k.Mbarrier()
			k.TMALoadMulticast(tile, a.At(0, 0), full, 1)
			return previous(here(), 1)
		}},
	} {
		all = append(all, mistake{name: c.word + " without a cluster", call: c.call,
			want: c.word + " in a kernel without a cluster: begin it with hopper.Cluster(2) or more"})
	}

	return append(all,
		mistake{name: "a barrier inside ElectOne",
			call: func(k *Kernel) string { k.ElectOne(func() { k.Sync() }); return here() },
			want: "Sync inside ElectOne: the whole CTA executes it together and one thread alone may not; move it out of the body"},
		mistake{name: "a barrier inside OneOfWarpgroup",
			call: func(k *Kernel) string { k.OneOfWarpgroup(func() { k.Sync() }); return here() },
			want: "Sync inside OneOfWarpgroup: the whole CTA executes it together and one thread alone may not; move it out of the body"},
		mistake{name: "a barrier deep inside OneThread",
			call: func(k *Kernel) string {
				k.OneThread(func() {
					k.If(k.ThreadIdx().Less(1), func() {})
					for range k.Range(0, 4, 1) {
						k.Sync()
					}
				})
				return previous(here(), 3)
			},
			want: "Sync inside OneThread: the whole CTA executes it together and one thread alone may not; move it out of the body"})
}
