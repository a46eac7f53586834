package hopper

func valueWords() []word {
	return []word{
		{name: "Int.Add", why: "a Go int is an immediate, an Int and a Var are registers",
			record: func(k *Kernel) {
				n, v := k.Int32("n"), k.Var(0)
				n.Add(7)
				n.Add(n)
				n.Add(v)
			}},
		{name: "Int.Sub", why: "the first operand is the receiver",
			record: func(k *Kernel) { k.Int32("n").Sub(k.Int32("m")) }},
		{name: "Int.Mul", why: "the low half",
			record: func(k *Kernel) { k.Int32("n").Mul(64) }},
		{name: "Int.Div", why: "signed",
			record: func(k *Kernel) { k.Int32("n").Div(3) }},
		{name: "Int.Rem", why: "signed",
			record: func(k *Kernel) { k.Int32("n").Rem(3) }},
		{name: "Int.Min", why: "signed",
			record: func(k *Kernel) { k.Int32("n").Min(-1) }},
		{name: "Int.And", why: "bits have no sign",
			record: func(k *Kernel) { k.Int32("n").And(127) }},
		{name: "Int.Or", why: "an immediate may use all 32 bits",
			record: func(k *Kernel) { k.Int32("n").Or(1 << 31) }},
		{name: "Int.Xor", why: "bits have no sign",
			record: func(k *Kernel) { k.Int32("n").Xor(1) }},
		{name: "Int.Shl", why: "bits have no sign",
			record: func(k *Kernel) { k.Int32("n").Shl(4) }},
		{name: "Int.Shr", why: "unsigned, so that zeros come in",
			record: func(k *Kernel) { k.Int32("n").Shr(5) }},
		{name: "Int.CeilDiv", why: "rounds up",
			record: func(k *Kernel) { k.Int32("n").CeilDiv(128) }},
		{name: "Int.Less", why: "signed",
			record: func(k *Kernel) { k.Int32("n").Less(3) }},
		{name: "Int.AtLeast", why: "signed",
			record: func(k *Kernel) { k.Int32("n").AtLeast(3) }},
		{name: "Int.Equal", why: "one comparison",
			record: func(k *Kernel) { k.Int32("n").Equal(k.Var(3)) }},
		{name: "Int.NotEqual", why: "one comparison",
			record: func(k *Kernel) { k.Int32("n").NotEqual(3) }},

		{name: "Kernel.Var", why: "a register of its own, even for an Int",
			record: func(k *Kernel) {
				k.Var(1)
				k.Var(k.Int32("n"))
			}},
		{name: "Var.Set", why: "the same register again",
			record: func(k *Kernel) {
				v := k.Var(1)
				v.Set(v.Xor(1))
			}},
		{name: "Pred.And", why: "predicates have registers of their own",
			record: func(k *Kernel) {
				n := k.Int32("n")
				n.Less(8).And(n.AtLeast(0))
			}},
		{name: "Pred.Select", why: "the predicate comes last",
			record: func(k *Kernel) {
				n := k.Int32("n")
				n.Equal(8).Select(0, n)
			}},
	}
}

func controlWords() []word {
	return []word{
		{name: "Kernel.Range", why: "tested before the first turn and after each, so that no turn is possible",
			record: func(k *Kernel) {
				for x := range k.Range(0, k.Int32("n"), 64) {
					x.Add(1)
				}
			}},
		{name: "Kernel.If", why: "the others branch around",
			record: func(k *Kernel) {
				k.If(k.Int32("n").Less(1), func() { k.Var(1) })
			}},
		{name: "Kernel.IfElse", why: "the first body comes first in the text",
			record: func(k *Kernel) {
				k.IfElse(k.Int32("n").Less(1), func() { k.Var(1) }, func() { k.Var(2) })
			}},
		{name: "Kernel.OneThread", why: "thread 0 of the CTA",
			record: func(k *Kernel) {
				k.OneThread(func() { k.Var(1) })
			}},
		{name: "Kernel.OneOfWarpgroup", why: "a thread index that is a multiple of 128",
			record: func(k *Kernel) {
				k.OneOfWarpgroup(func() { k.Var(1) })
			}},
		{name: "Kernel.ElectOne", why: "the lane itself is of no interest",
			record: func(k *Kernel) {
				k.ElectOne(func() { k.Var(1) })
			}},
	}
}
