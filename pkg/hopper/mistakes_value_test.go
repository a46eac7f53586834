package hopper

func valueMistakes() []mistake {
	other := New("other")
	theirs := other.Int32("n")
	return []mistake{
		{name: "a number of another type",
			call: func(k *Kernel) string { k.Int32("n").Add(int64(1)); return here() },
			want: "a number must be an Int, a Var or a Go int, not int64"},
		{name: "a predicate as a number",
			call: func(k *Kernel) string { n := k.Int32("n"); n.Add(n.Less(1)); return here() },
			want: "a number must be an Int, a Var or a Go int, not hopper.Pred"},
		{name: "no number",
			call: func(k *Kernel) string { k.Var(nil); return here() },
			want: "a number must be an Int, a Var or a Go int, not <nil>"},
		{name: "a number that is too large",
			call: func(k *Kernel) string { k.Int32("n").Add(1 << 32); return here() },
			want: "the number 4294967296 does not fit in 32 bits"},
		{name: "a number that is too small",
			call: func(k *Kernel) string { k.Int32("n").Add(-1<<31 - 1); return here() },
			want: "the number -2147483649 does not fit in 32 bits"},
		{name: "an Int of another kernel",
			call: func(k *Kernel) string { k.Int32("n").Add(theirs); return here() },
			want: "a word is given the Int of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "a Var of another kernel",
			call: func(k *Kernel) string { k.Var(0).Set(Var{theirs}); return here() },
			want: "a word is given the Int of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "an Int that was never made",
			call: func(k *Kernel) string { k.Int32("n").Add(Int{}); return here() },
			want: "a word is given a zero Int; give it one that a word of this kernel returned"},
		{name: "a bound of another kernel",
			call: func(k *Kernel) (line string) {
				for range k.Range(0, theirs, 1) {
					line = here()
				}
				return previous(line, 1)
			},
			want: "a word is given the Int of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "a condition of another kernel",
			call: func(k *Kernel) string { k.If(theirs.Less(1), func() {}); return here() },
			want: "If is given the Pred of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "a condition that was never made",
			call: func(k *Kernel) string { k.IfElse(Pred{}, func() {}, func() {}); return here() },
			want: "IfElse is given a zero Pred; give it one that a word of this kernel returned"},
		{name: "a conjunction across kernels",
			call: func(k *Kernel) string { k.Int32("n").Less(1).And(theirs.Less(1)); return here() },
			want: "Pred.And is given the Pred of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "a raster across kernels",
			call: func(k *Kernel) string { n := k.Int32("n"); k.GroupedRaster(n, theirs, n, 8); return here() },
			want: "GroupedRaster is given the Int of another kernel, other; values cannot cross kernels, so make it in wrong"},
		{name: "a division by 0",
			call: func(k *Kernel) string { k.Int32("n").Div(0); return here() },
			want: "Div by 0; a divisor is not 0"},
		{name: "a remainder by 0",
			call: func(k *Kernel) string { k.Int32("n").Rem(0); return here() },
			want: "Rem by 0; a divisor is not 0"},
		{name: "tiles of no element",
			call: func(k *Kernel) string { k.Int32("n").CeilDiv(0); return here() },
			want: "CeilDiv(0): a tile has at least 1 element"},
		{name: "a shift by all bits",
			call: func(k *Kernel) string { k.Int32("n").Shl(32); return here() },
			want: "Shl by 32 bits: an Int has 32, so 0 to 31"},
		{name: "a shift back",
			call: func(k *Kernel) string { k.Int32("n").Shr(-1); return here() },
			want: "Shr by -1 bits: an Int has 32, so 0 to 31"},
	}
}
