package hopper

func matrixWords() []word {
	return []word{
		{name: "Kernel.Accumulator", why: "only registers: 64 x 8 is four in a thread",
			record: func(k *Kernel) { k.Accumulator(64, 8).Zero() }},
		{name: "Kernel.WarpAccumulator", why: "only registers: 16 x 8 is four in a thread",
			record: func(k *Kernel) { k.WarpAccumulator(16, 8).Zero() }},
		{name: "Kernel.HalfAccumulator", why: "a register holds two columns: WGMMA names f16 and stmatrix needs no conversion",
			record: func(k *Kernel) {
				acc, tile := k.HalfAccumulator(64, 32), k.Shared(F16, 32, 64, Swizzle128B)
				acc.Zero()
				k.Wgmma(acc, oneTile(k), tile)
				k.Stmatrix(k.Shared(F16, 64, 32, Swizzle64B), acc, 0, 0)
			}},
		{name: "Accumulator.Zero", why: "block after block",
			record: func(k *Kernel) { k.Accumulator(128, 8).Zero() }},

		{name: "Kernel.Wgmma", why: "four steps of K, each 32 bytes on, which a descriptor counts in sixteens",
			record: func(k *Kernel) {
				k.Wgmma(k.Accumulator(64, 8), oneTile(k), k.Shared(F16, 8, 64, Swizzle128B))
			}},
		{name: "Kernel.Wgmma", why: "in each step one instruction for 64 rows, 8192 bytes on",
			record: func(k *Kernel) {
				k.Wgmma(k.Accumulator(128, 8), k.Shared(BF16, 128, 64, Swizzle128B), k.Shared(BF16, 8, 64, Swizzle128B))
			}},
		{name: "Kernel.WgmmaFence", why: "one instruction",
			record: func(k *Kernel) { k.WgmmaFence() }},
		{name: "Kernel.WgmmaCommit", why: "one instruction",
			record: func(k *Kernel) { k.WgmmaCommit() }},
		{name: "Kernel.WgmmaWait", why: "the count is an immediate",
			record: func(k *Kernel) { k.WgmmaWait(1) }},

		{name: "Kernel.Ldmatrix4", why: "the offset is part of the address",
			record: func(k *Kernel) { k.Ldmatrix4(oneTile(k).Addr(), 2048) }},
		{name: "Kernel.MmaSync", why: "the accumulator's block is the addend and the result",
			record: func(k *Kernel) {
				at := oneTile(k).Addr()
				a, b := k.Ldmatrix4(at, 0), k.Ldmatrix4(at, 1024)
				k.MmaSync(k.WarpAccumulator(32, 16), 1, 1, BF16, a, b[2:])
			}},

		{name: "Kernel.Stmatrix", why: "each row is 128 bytes and permuted by its index; 16 columns are an exclusive or with 32 bytes",
			record: func(k *Kernel) { k.Stmatrix(oneTile(k), k.Accumulator(128, 128), 1, 64) }},
		{name: "Kernel.Stmatrix", why: "each two rows of 64 bytes are permuted alike",
			record: func(k *Kernel) {
				k.Stmatrix(k.Shared(BF16, 64, 32, Swizzle64B), k.Accumulator(64, 32), 0, 0)
			}},
		{name: "Kernel.Matrix", why: "a pointer, made a global address",
			record: func(k *Kernel) { k.Matrix("c", F16, k.Int32("m"), k.Int32("n")) }},
		{name: "Kernel.StoreGlobal", why: "a warp's block: rows l/4 and l/4 + 8, pairs of columns, each stored if it lies inside",
			record: func(k *Kernel) {
				c := k.Matrix("c", F16, k.Int32("m"), k.Int32("n"))
				k.StoreGlobal(c, k.BlockIdx(1), k.BlockIdx(0), k.WarpAccumulator(16, 16))
			}},
		{name: "Kernel.StoreGlobal", why: "a warpgroup's block: each warp has 16 rows",
			record: func(k *Kernel) {
				c := k.Matrix("c", BF16, k.Int32("m"), k.Int32("n"))
				k.StoreGlobal(c, k.BlockIdx(1), k.BlockIdx(0), k.Accumulator(64, 8))
			}},
	}
}

func pipelineWords() []word {
	return []word{
		{name: "Kernel.Pipeline", why: "the full barriers, then the empty ones",
			record: func(k *Kernel) {
				p := k.Pipeline(3)
				p.Full.Arrive()
				p.Empty.Arrive()
			}},
		{name: "Pipeline.Init", why: "each barrier of each stage",
			record: func(k *Kernel) { k.Pipeline(2).Init(1, 4) }},
		{name: "Pipeline.Producer", why: "stage 0, and a parity that a fresh barrier has completed",
			record: func(k *Kernel) { k.Pipeline(3).Producer().Acquire() }},
		{name: "Pipeline.Consumer", why: "stage 0, and a parity that a fresh barrier has not completed",
			record: func(k *Kernel) { k.Pipeline(3).Consumer().Acquire() }},
		{name: "Cursor.Acquire", why: "the barrier of the cursor's stage",
			record: func(k *Kernel) { k.Pipeline(3).Consumer().Acquire() }},
		{name: "Cursor.Full", why: "the first three barriers",
			record: func(k *Kernel) { k.Pipeline(3).Producer().Full().ArriveExpectTx(1024) }},
		{name: "Cursor.Empty", why: "the last three barriers",
			record: func(k *Kernel) { k.Pipeline(3).Consumer().Empty().Arrive() }},
		{name: "Cursor.Previous", why: "before stage 0 comes the last one",
			record: func(k *Kernel) { k.Pipeline(3).Consumer().Previous() }},
		{name: "Cursor.Advance", why: "selects instead of branches",
			record: func(k *Kernel) { k.Pipeline(3).Consumer().Advance() }},
		{name: "Kernel.GroupedRaster", why: "two divisions",
			record: func(k *Kernel) { k.GroupedRaster(k.BlockIdx(0), k.Int32("rows"), k.Int32("cols"), 8) }},
	}
}
