package hopper

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSharedMemoryToTheLimit: a CTA may have every byte of its share.
func TestSharedMemoryToTheLimit(t *testing.T) {
	k := New("limit")
	k.SharedRing(113, F16, 16, 64, Swizzle128B)
	k.Mbarriers(128)
	_, err := k.Module()
	require.NoError(t, err)
	assert.Equal(t, 232448, k.SharedBytes())
}

// TestTooMuchSharedMemory shows the sum, and blames the word that went beyond
// the limit rather than the last one.
func TestTooMuchSharedMemory(t *testing.T) {
	k := New("wrong")
	k.SharedRing(5, F16, 128, 64, Swizzle128B)
	k.Pipeline(5)
	k.SharedRing(5, F16, 256, 64, Swizzle128B)
	k.Mbarrier()
	end := here()
	_, err := k.Module()
	assert.EqualError(t, err, "kernel wrong cannot be recorded:\n"+
		previous(end, 2)+": the kernel takes 246792 bytes of shared memory, 14344 more than the 232448 that a CTA may have; use fewer stages or a smaller tile\n"+
		"\tat      0:  81920 bytes, 5 x tile of 128 x 64 f16 ("+previous(end, 4)+")\n"+
		"\tat  81920:     40 bytes, 5 x mbarrier ("+previous(end, 3)+")\n"+
		"\tat  81960:     40 bytes, 5 x mbarrier ("+previous(end, 3)+")\n"+
		"\tat  82944: 163840 bytes, 5 x tile of 256 x 64 f16 ("+previous(end, 2)+")\n"+
		"\tat 246784:      8 bytes, 1 x mbarrier ("+previous(end, 1)+")")
}

func sharedMistakes() []mistake {
	return []mistake{
		{name: "an element type of four bytes",
			call: func(k *Kernel) string { k.Shared("f32", 64, 64, Swizzle128B); return here() },
			want: `a tile of "f32": the element type is hopper.F16 or hopper.BF16`},
		{name: "a swizzle that is not there",
			call: func(k *Kernel) string { k.Shared(F16, 64, 16, 32); return here() },
			want: "swizzle 32: use hopper.Swizzle128B or hopper.Swizzle64B"},
		{name: "a row of two swizzle spans",
			call: func(k *Kernel) string { k.Shared(F16, 64, 128, Swizzle128B); return here() },
			want: "a tile of 128 columns: with Swizzle128B a row is exactly 128 bytes, so 64 columns"},
		{name: "a row of nothing",
			call: func(k *Kernel) string { k.Shared(F16, 64, 0, Swizzle64B); return here() },
			want: "a tile of 0 columns: with Swizzle64B a row is exactly 64 bytes, so 32 columns"},
		{name: "no row",
			call: func(k *Kernel) string { k.Shared(F16, 0, 64, Swizzle128B); return here() },
			want: "a tile of 0 rows: rows come in swizzle atoms of 8"},
		{name: "half a swizzle atom",
			call: func(k *Kernel) string { k.Shared(F16, 60, 64, Swizzle128B); return here() },
			want: "a tile of 60 rows: rows come in swizzle atoms of 8"},
		{name: "a ring of nothing",
			call: func(k *Kernel) string { k.SharedRing(0, F16, 64, 64, Swizzle128B); return here() },
			want: "a ring of 0 stages: it needs at least 1"},
		{name: "a stage behind the last",
			call: func(k *Kernel) string { k.SharedRing(4, F16, 64, 64, Swizzle128B).Stage(4); return here() },
			want: "stage 4 of a ring of 4: stages are 0 to 3"},
		{name: "a stage before the first",
			call: func(k *Kernel) string { k.SharedRing(4, F16, 64, 64, Swizzle128B).Stage(-1); return here() },
			want: "stage -1 of a ring of 4: stages are 0 to 3"},
		{name: "a stage of another kernel",
			call: func(k *Kernel) string {
				k.SharedRing(4, F16, 64, 64, Swizzle128B).Stage(New("other").Int32("n"))
				return previous(here(), 1)
			},
			want: "a word is given the Int of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "a part that starts inside a swizzle atom",
			call: func(k *Kernel) string { oneTile(k).From(4, 8); return here() },
			want: "From row 4 with 8 rows of a tile of 64: a part starts at a multiple of 8 rows, one swizzle atom, and lies inside the tile"},
		{name: "a part that ends outside",
			call: func(k *Kernel) string { oneTile(k).From(32, 64); return here() },
			want: "From row 32 with 64 rows of a tile of 64: a part starts at a multiple of 8 rows, one swizzle atom, and lies inside the tile"},
		{name: "a part with a ragged end",
			call: func(k *Kernel) string { oneTile(k).From(0, 12); return here() },
			want: "From with 12 rows of a tile of 64: a part has whole swizzle atoms of 8 rows, and no more than the tile"},
		{name: "a part larger than the tile, from a row known at run time",
			call: func(k *Kernel) string { oneTile(k).From(k.ThreadIdx(), 128); return here() },
			want: "From with 128 rows of a tile of 64: a part has whole swizzle atoms of 8 rows, and no more than the tile"},
		{name: "more shared memory than a CTA has",
			call: func(k *Kernel) string { k.SharedRing(8, F16, 256, 64, Swizzle128B); return here() },
			want: "the kernel takes 262144 bytes of shared memory, 29696 more than the 232448 that a CTA may have; use fewer stages or a smaller tile" +
				"\n\tat      0: 262144 bytes, 8 x tile of 256 x 64 f16 (HERE)"},
	}
}

func mbarrierMistakes() []mistake {
	return []mistake{
		{name: "no barrier",
			call: func(k *Kernel) string { k.Mbarriers(0); return here() },
			want: "0 mbarriers: there must be at least 1"},
		{name: "a pipeline without a stage",
			call: func(k *Kernel) string { k.Pipeline(0); return here() },
			want: "0 mbarriers: there must be at least 1"},
		{name: "a stage behind the last barrier",
			call: func(k *Kernel) string { k.Mbarriers(4).Stage(4); return here() },
			want: "stage 4 of 4 mbarriers: stages are 0 to 3"},
		{name: "no arrival",
			call: func(k *Kernel) string { k.Mbarrier().Init(0); return here() },
			want: "Init(0): an mbarrier counts 1 to 1048575 arrivals"},
		{name: "too many arrivals",
			call: func(k *Kernel) string { k.Pipeline(1).Init(1, 1<<20); return here() },
			want: "Init(1048576): an mbarrier counts 1 to 1048575 arrivals"},
		{name: "too many bytes",
			call: func(k *Kernel) string { k.Mbarrier().ArriveExpectTx(1 << 20); return here() },
			want: "ArriveExpectTx(1048576): a phase waits for 0 to 1048575 bytes; spread the copies over more barriers"},
		{name: "less than no byte",
			call: func(k *Kernel) string { k.Mbarrier().ArriveExpectTx(-16); return here() },
			want: "ArriveExpectTx(-16): a phase waits for 0 to 1048575 bytes; spread the copies over more barriers"},
		{name: "a count of phases as parity",
			call: func(k *Kernel) string { k.Mbarrier().Wait(2); return here() },
			want: "Wait(2): a parity is 0 or 1, the phase's number modulo 2"},
		{name: "a peer that the cluster does not have", options: []Option{Cluster(2)},
			call: func(k *Kernel) string { k.Mbarrier().ArriveRemote(2, Relaxed); return here() },
			want: "ArriveRemote to rank 2: the cluster has ranks 0 to 1"},
		{name: "an order that is not there", options: []Option{Cluster(2)},
			call: func(k *Kernel) string { k.Mbarrier().ArriveRemote(1, "acquire"); return here() },
			want: `ArriveRemote with order "acquire": use hopper.Relaxed, hopper.ReleaseCTA or hopper.ReleaseCluster`},
	}
}

func copyMistakes() []mistake {
	other := New("other")
	theirTile, theirMap, theirBarrier := oneTile(other), other.TensorMap("a"), other.Mbarrier()
	crossing := func(word, value string) string {
		return word + " is given the " + value + " of another kernel, other; values cannot cross kernels, so make it in wrong"
	}
	return []mistake{
		{name: "loading a box of more than 256 rows",
			call: func(k *Kernel) string {
				tile, a, full := k.Shared(F16, 320, 64, Swizzle128B), k.TensorMap("a"), k.Mbarrier()
				k.TMALoad(tile, a.At(0, 0), full)
				return previous(here(), 1)
			},
			want: "TMALoad of a tile of 320 rows: a TMA box has at most 256; copy it in parts with Tile.From"},
		{name: "storing a box of more than 256 rows",
			call: func(k *Kernel) string {
				tile, c := k.Shared(F16, 264, 64, Swizzle128B), k.TensorMap("c")
				k.TMAStore(c.At(0, 0), tile)
				return previous(here(), 1)
			},
			want: "TMAStore of a tile of 264 rows: a TMA box has at most 256; copy it in parts with Tile.From"},
		{name: "a mask without a CTA", options: []Option{Cluster(2)},
			call: func(k *Kernel) string {
				tile, a, full := oneTile(k), k.TensorMap("a"), k.Mbarrier()
				k.TMALoadMulticast(tile, a.At(0, 0), full, 0)
				return previous(here(), 1)
			},
			want: "TMALoadMulticast with mask 0b0: it has one bit for each CTA, and the cluster has 2"},
		{name: "a mask of four CTAs in a cluster of two", options: []Option{Cluster(2)},
			call: func(k *Kernel) string {
				tile, a, full := oneTile(k), k.TensorMap("a"), k.Mbarrier()
				k.TMALoadMulticast(tile, a.At(0, 0), full, 0b1111)
				return previous(here(), 1)
			},
			want: "TMALoadMulticast with mask 0b1111: it has one bit for each CTA, and the cluster has 2"},
		{name: "storing before the first column",
			call: func(k *Kernel) string {
				tile := oneTile(k)
				k.TMAStore(k.TensorMap("c").At(-64, 0), tile)
				return previous(here(), 1)
			},
			want: "TMAStore at coordinate -64: a store's corner is not negative"},
		{name: "storing before the first row",
			call: func(k *Kernel) string {
				tile := oneTile(k)
				k.TMAStore(k.TensorMap("c").At(0, -1), tile)
				return previous(here(), 1)
			},
			want: "TMAStore at coordinate -1: a store's corner is not negative"},
		{name: "a coordinate of another type",
			call: func(k *Kernel) string {
				k.TMALoad(oneTile(k), k.TensorMap("a").At(0, 0.5), k.Mbarrier())
				return previous(here(), 1)
			},
			want: "a number must be an Int, a Var or a Go int, not float64"},
		{name: "a negative number of pending reads",
			call: func(k *Kernel) string { k.TMAWaitRead(-1); return here() },
			want: "TMAWaitRead(-1): the number of groups that may be pending is not negative"},
		{name: "loading into another kernel's tile",
			call: func(k *Kernel) string { k.TMALoad(theirTile, k.TensorMap("a").At(0, 0), k.Mbarrier()); return here() },
			want: crossing("TMALoad", "Tile")},
		{name: "loading through another kernel's map",
			call: func(k *Kernel) string { k.TMALoad(oneTile(k), theirMap.At(0, 0), k.Mbarrier()); return here() },
			want: crossing("TMALoad", "Box")},
		{name: "loading with another kernel's barrier", options: []Option{Cluster(2)},
			call: func(k *Kernel) string {
				k.TMALoadMulticast(oneTile(k), k.TensorMap("a").At(0, 0), theirBarrier, 3)
				return previous(here(), 1)
			},
			want: crossing("TMALoadMulticast", "Mbarrier")},
		{name: "storing a tile that was never made",
			call: func(k *Kernel) string { k.TMAStore(k.TensorMap("c").At(0, 0), Tile{}); return here() },
			want: "TMAStore is given a zero Tile; give it one that a word of this kernel returned"},
		{name: "prefetching another kernel's map",
			call: func(k *Kernel) string { k.PrefetchTensorMap(theirMap); return here() },
			want: crossing("PrefetchTensorMap", "TensorMap")},
	}
}
