package hopper

import (
	"iter"

	"gohopper/pkg/hopper/ptx"
)

// Range records the loop "for x := from; x < to; x += step", executed by each
// thread: a test before the first turn and one after each (setp and bra, PTX
// 9.7.12). The body of the Go range statement is recorded once and runs on the
// machine any number of times, none included. Step is positive. In the body, x
// is the loop's own register; Int.Add(0) keeps a turn's value.
//
// Leaving the Go loop with break or return would record half a loop, and is a
// mistake.
func (k *Kernel) Range(from, to, step Number) iter.Seq[Int] {
	return func(yield func(Int) bool) {
		if c, ok := step.(int); ok && c < 1 {
			k.mistake("Range with a step of %d would not end; a step is at least 1", c)
		}
		body, end := k.label("loop"), k.label("done")
		x := k.Var(from)
		limit := k.number(to)
		p := k.pred()
		k.emit("setp.ge.s32", p.op(), x.op(), limit)
		k.emitGuarded(&ptx.Guard{Reg: p.reg}, "bra", ptx.Sym{Name: end})
		k.place(body)
		if !yield(x.Int) {
			k.mistake("a recorded loop is left by break or return; its body is recorded once, so use k.If inside it instead")
		}
		k.emit("add.s32", x.op(), x.op(), k.number(step))
		q := k.pred()
		k.emit("setp.lt.s32", q.op(), x.op(), limit)
		k.emitGuarded(&ptx.Guard{Reg: q.reg}, "bra", ptx.Sym{Name: body})
		k.place(end)
	}
}

// If records body for the threads where p is true: a branch around it (bra).
func (k *Kernel) If(p Pred, body func()) {
	k.owns("If", p)
	end := k.label("endif")
	k.emitGuarded(&ptx.Guard{Reg: p.reg, Not: true}, "bra", ptx.Sym{Name: end})
	body()
	k.place(end)
}

// IfElse records both bodies, with a branch to the second one and a branch
// around it; then comes first in the text. The order matters to the assembler
// where a body changes the register count (setmaxnreg).
func (k *Kernel) IfElse(p Pred, then, otherwise func()) {
	k.owns("IfElse", p)
	other, end := k.label("else"), k.label("endif")
	k.emitGuarded(&ptx.Guard{Reg: p.reg, Not: true}, "bra", ptx.Sym{Name: other})
	then()
	k.emit("bra", ptx.Sym{Name: end})
	k.place(other)
	otherwise()
	k.place(end)
}

// OneThread records body for thread 0 of the CTA: If with ThreadIdx equal to
// 0.
func (k *Kernel) OneThread(body func()) {
	k.alone("OneThread", k.ThreadIdx().Equal(0), body)
}

// OneOfWarpgroup records body for the first thread of each executing
// warpgroup: If with the low seven bits of ThreadIdx equal to 0.
func (k *Kernel) OneOfWarpgroup(body func()) {
	k.alone("OneOfWarpgroup", k.ThreadIdx().And(warpgroupThreads-1).Equal(0), body)
}

// ElectOne records body for one lane of each executing warp, which elect.sync
// chooses (PTX 9.7.13.14), and the branch of If. All 32 lanes must arrive
// together.
func (k *Kernel) ElectOne(body func()) {
	k.byAll("ElectOne", "warp")
	p := k.pred()
	k.emit("elect.sync", ptx.Pair{A: ptx.Sink{}, B: p.op()}, intOp(-1))
	k.alone("ElectOne", p, body)
}

// alone is If where p holds for one thread, by the word that says so.
func (k *Kernel) alone(word string, p Pred, body func()) {
	outer := k.solo
	k.solo = word
	k.If(p, body)
	k.solo = outer
}
