package hopper

// Pipeline is a ring of stages between producers, which fill them, and
// consumers, which empty them: a full and an empty mbarrier for each stage.
// Its words stand for words of Mbarrier, Ring and Var, which could be written
// in their place.
type Pipeline struct {
	k           *Kernel
	Full, Empty Mbarriers
	Stages      int
}

// Pipeline sets the barriers aside, as Mbarriers does. It records nothing.
func (k *Kernel) Pipeline(stages int) Pipeline {
	return Pipeline{k, k.Mbarriers(stages), k.Mbarriers(stages), stages}
}

// Init sets every barrier up, in one thread: how many arrivals say that a
// stage is full, and how many that it is empty (Mbarrier.Init for each).
func (p Pipeline) Init(producers, consumers int) {
	for s := range p.Stages {
		p.Full.Stage(s).Init(producers)
		p.Empty.Stage(s).Init(consumers)
	}
}

// Cursor walks one role along the ring: a stage, and the parity of the phase
// it waits for there, both in registers of each executing thread.
type Cursor struct {
	p     Pipeline
	wait  Mbarriers
	Stage Var
	phase Var
}

// Producer begins at stage 0 and waits on the empty barriers. Its first round
// falls through: a fresh barrier counts the phase before its first, of parity
// 1, as complete. Two Vars (mov.b32).
func (p Pipeline) Producer() Cursor { return Cursor{p, p.Empty, p.k.Var(0), p.k.Var(1)} }

// Consumer begins at stage 0 and waits on the full barriers. Two Vars
// (mov.b32).
func (p Pipeline) Consumer() Cursor { return Cursor{p, p.Full, p.k.Var(0), p.k.Var(0)} }

// Acquire holds each executing thread until the stage is the role's to use
// (Mbarriers.Stage, Mbarrier.Wait).
func (c Cursor) Acquire() { c.wait.Stage(c.Stage).Wait(c.phase) }

// Full is the barrier that says the stage is filled (Mbarriers.Stage).
func (c Cursor) Full() Mbarrier { return c.p.Full.Stage(c.Stage) }

// Empty is the barrier that says the stage is free (Mbarriers.Stage).
func (c Cursor) Empty() Mbarrier { return c.p.Empty.Stage(c.Stage) }

// Previous is the stage before this one, for a consumer that releases a stage
// one step late (setp, sub, selp).
func (c Cursor) Previous() Int {
	return c.Stage.Equal(0).Select(c.p.Stages-1, c.Stage.Sub(1))
}

// Advance goes to the next stage; when it comes round to 0 the parity flips.
// No branch: add, setp, selp, mov for the stage and xor, selp, mov for the
// parity.
func (c Cursor) Advance() {
	next := c.Stage.Add(1)
	wrapped := next.Equal(c.p.Stages)
	c.Stage.Set(wrapped.Select(0, next))
	c.phase.Set(wrapped.Select(c.phase.Xor(1), c.phase))
}
