package hopper

func matrixMistakes() []mistake {
	other := New("other")
	theirs := oneTile(other)
	return []mistake{
		{name: "an accumulator of half a warpgroup's rows",
			call: func(k *Kernel) string { k.Accumulator(32, 64); return here() },
			want: "an accumulator of 32 x 64: rows come in blocks of 64, columns in eights"},
		{name: "an accumulator with a ragged edge",
			call: func(k *Kernel) string { k.WarpAccumulator(16, 12); return here() },
			want: "an accumulator of 16 x 12: rows come in blocks of 16, columns in eights"},
		{name: "an accumulator without columns",
			call: func(k *Kernel) string { k.Accumulator(64, 0); return here() },
			want: "an accumulator of 64 x 0: rows come in blocks of 64, columns in eights"},
		{name: "a warpgroup's accumulator larger than its registers",
			call: func(k *Kernel) string { k.Accumulator(128, 256); return here() },
			want: "an accumulator of 128 x 256 takes 256 registers of each thread, which has 255 in all and needs some for addresses; use a smaller tile or more warps"},
		{name: "a warp's accumulator larger than its registers",
			call: func(k *Kernel) string { k.WarpAccumulator(64, 128); return here() },
			want: "an accumulator of 64 x 128 takes 256 registers of each thread, which has 255 in all and needs some for addresses; use a smaller tile or more warps"},

		{name: "bf16 operands accumulated in f16",
			call: func(k *Kernel) string {
				tile := k.Shared(BF16, 64, 64, Swizzle128B)
				k.Wgmma(k.HalfAccumulator(64, 64), tile, tile)
				return previous(here(), 1)
			},
			want: "Wgmma of bf16 tiles into a HalfAccumulator: only f16 operands can be accumulated in f16"},
		{name: "f16 sums into a tile of bf16",
			call: func(k *Kernel) string {
				k.Stmatrix(k.Shared(BF16, 64, 64, Swizzle128B), k.HalfAccumulator(64, 64), 0, 0)
				return previous(here(), 1)
			},
			want: "Stmatrix of a HalfAccumulator into a tile of bf16: it holds f16 pairs"},
		{name: "f16 sums straight to global memory",
			call: func(k *Kernel) string {
				n := k.Int32("n")
				c := k.Matrix("c", F16, n, n)
				k.StoreGlobal(c, n, n, k.HalfAccumulator(64, 64))
				return previous(here(), 1)
			},
			want: "StoreGlobal of a HalfAccumulator: only Stmatrix takes one"},

		{name: "WGMMA by a warp",
			call: func(k *Kernel) string { k.Wgmma(k.WarpAccumulator(64, 64), oneTile(k), oneTile(k)); return here() },
			want: "Wgmma into a WarpAccumulator: WGMMA is issued by a warpgroup, so use k.Accumulator"},
		{name: "operands of other sizes than the accumulator",
			call: func(k *Kernel) string { k.Wgmma(k.Accumulator(64, 128), oneTile(k), oneTile(k)); return here() },
			want: "Wgmma: A is 64 x 64 f16 and B is 64 x 64 f16, but an accumulator of 64 x 128 needs A 64 x K and B 128 x K of one type"},
		{name: "operands of two types",
			call: func(k *Kernel) string {
				a, b := k.Shared(F16, 64, 64, Swizzle128B), k.Shared(BF16, 64, 64, Swizzle128B)
				k.Wgmma(k.Accumulator(64, 64), a, b)
				return previous(here(), 1)
			},
			want: "Wgmma: A is 64 x 64 f16 and B is 64 x 64 bf16, but an accumulator of 64 x 64 needs A 64 x K and B 64 x K of one type"},
		{name: "an operand with the store's swizzle",
			call: func(k *Kernel) string {
				a, b := k.Shared(F16, 64, 32, Swizzle64B), k.Shared(F16, 64, 32, Swizzle64B)
				k.Wgmma(k.Accumulator(64, 64), a, b)
				return previous(here(), 1)
			},
			want: "Wgmma of tiles with Swizzle64B and Swizzle64B: both operands are tiles with Swizzle128B"},
		{name: "more columns than one instruction has",
			call: func(k *Kernel) string {
				a, b := oneTile(k), k.Shared(F16, 320, 64, Swizzle128B)
				k.Wgmma(k.Accumulator(64, 320), a, b)
				return previous(here(), 1)
			},
			want: "Wgmma with 320 columns: one instruction has at most 256; use two accumulators"},
		{name: "an operand of another kernel",
			call: func(k *Kernel) string { k.Wgmma(k.Accumulator(64, 64), oneTile(k), theirs); return here() },
			want: "Wgmma is given the Tile of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "no accumulator",
			call: func(k *Kernel) string { k.Wgmma(nil, oneTile(k), oneTile(k)); return here() },
			want: "Wgmma is given a zero Accumulator; give it one that a word of this kernel returned"},
		{name: "an accumulator whose size was a mistake is not blamed twice",
			call: func(k *Kernel) string { k.Wgmma(k.Accumulator(64, 12), oneTile(k), oneTile(k)); return here() },
			want: "an accumulator of 64 x 12: rows come in blocks of 64, columns in eights"},
		{name: "more groups in flight than can be counted",
			call: func(k *Kernel) string { k.WgmmaWait(8); return here() },
			want: "WgmmaWait(8): 0 to 7 groups may stay in flight"},

		{name: "an offset inside a row of a matrix",
			call: func(k *Kernel) string { k.Ldmatrix4(oneTile(k).Addr(), 8); return here() },
			want: "Ldmatrix4 at offset 8: a row of an 8x8 matrix is 16 bytes and starts at a multiple of 16"},
		{name: "an address of another kernel",
			call: func(k *Kernel) string { k.Ldmatrix4(theirs.Addr(), 0); return here() },
			want: "Ldmatrix4 is given the Int of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "mma.sync by a warpgroup",
			call: func(k *Kernel) string {
				f := fragment(k)
				k.MmaSync(k.Accumulator(64, 8), 0, 0, F16, f, f[:2])
				return previous(here(), 1)
			},
			want: "MmaSync into a warpgroup's Accumulator: mma.sync is issued by a warp, so use k.WarpAccumulator"},
		{name: "a block outside the accumulator",
			call: func(k *Kernel) string {
				f := fragment(k)
				k.MmaSync(k.WarpAccumulator(32, 16), 2, 0, F16, f, f[:2])
				return previous(here(), 1)
			},
			want: "MmaSync at block (2, 0): an accumulator of 32 x 16 has 2 x 2 blocks of 16 x 8"},
		{name: "a whole fragment as B",
			call: func(k *Kernel) string {
				f := fragment(k)
				k.MmaSync(k.WarpAccumulator(16, 8), 0, 0, F16, f, f)
				return previous(here(), 1)
			},
			want: "MmaSync with 4 registers of A and 4 of B: A has 4, all of a Fragment, and B has 2, half of one"},
		{name: "mma.sync of single precision",
			call: func(k *Kernel) string {
				f := fragment(k)
				k.MmaSync(k.WarpAccumulator(16, 8), 0, 0, "f32", f, f[:2])
				return previous(here(), 1)
			},
			want: `MmaSync of "f32": the element type is hopper.F16 or hopper.BF16`},
		{name: "a fragment of another kernel",
			call: func(k *Kernel) string {
				a, b := fragment(k), fragment(other)
				k.MmaSync(k.WarpAccumulator(16, 8), 0, 0, F16, a, b[:2])
				return previous(here(), 1)
			},
			want: "MmaSync is given the Int of another kernel, other; values cannot cross kernels, so make it in wrong"},

		{name: "stmatrix of a warp's accumulator",
			call: func(k *Kernel) string { k.Stmatrix(oneTile(k), k.WarpAccumulator(64, 64), 0, 0); return here() },
			want: "Stmatrix of a WarpAccumulator: it stores a warpgroup's block of 64 rows, so use k.Accumulator"},
		{name: "stmatrix of a block that is not there",
			call: func(k *Kernel) string { k.Stmatrix(oneTile(k), k.Accumulator(128, 64), 2, 0); return here() },
			want: "Stmatrix of block 2: an accumulator of 128 rows has blocks 0 to 1, of 64 rows each"},
		{name: "stmatrix into a tile of two blocks",
			call: func(k *Kernel) string {
				k.Stmatrix(k.Shared(F16, 128, 64, Swizzle128B), k.Accumulator(128, 64), 0, 0)
				return previous(here(), 1)
			},
			want: "Stmatrix into a tile of 128 rows: a warpgroup's block has 64 rows"},
		{name: "stmatrix into a tile whose swizzle was changed",
			call: func(k *Kernel) string {
				tile := oneTile(k)
				tile.Swizzle = 32
				k.Stmatrix(tile, k.Accumulator(64, 64), 0, 0)
				return previous(here(), 1)
			},
			want: "Stmatrix into a tile of 64 columns with Swizzle32B: it writes tiles of 64 columns with Swizzle128B or 32 with Swizzle64B"},
		{name: "stmatrix of columns that the accumulator lacks",
			call: func(k *Kernel) string { k.Stmatrix(oneTile(k), k.Accumulator(64, 96), 0, 64); return here() },
			want: "Stmatrix of columns 64 to 127 of an accumulator of 96 columns: they must lie inside and start at a multiple of 16"},
		{name: "stmatrix from a column inside a pair of matrices",
			call: func(k *Kernel) string { k.Stmatrix(oneTile(k), k.Accumulator(64, 128), 0, 8); return here() },
			want: "Stmatrix of columns 8 to 71 of an accumulator of 128 columns: they must lie inside and start at a multiple of 16"},

		{name: "a matrix of single precision",
			call: func(k *Kernel) string { n := k.Int32("n"); k.Matrix("c", "f32", n, n); return here() },
			want: `a matrix of "f32": the element type is hopper.F16 or hopper.BF16`},
		{name: "a matrix with another kernel's size",
			call: func(k *Kernel) string { k.Matrix("c", F16, k.Int32("m"), other.ThreadIdx()); return here() },
			want: "Matrix is given the Int of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "storing to a matrix that was never declared",
			call: func(k *Kernel) string {
				n := k.Int32("n")
				k.StoreGlobal(Matrix{}, n, n, k.Accumulator(64, 8))
				return previous(here(), 1)
			},
			want: "StoreGlobal is given a zero Matrix; give it one that a word of this kernel returned"},
	}
}

func fragment(k *Kernel) Fragment { return k.Ldmatrix4(k.ThreadIdx(), 0) }
