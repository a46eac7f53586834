package ptx

// maxArrivals is the largest arrival count of an mbarrier (PTX 9.7.13.15).
const maxArrivals = 1<<20 - 1

// mbarrier checks the constants of mbarrier instructions and that a remote
// arrival discards its state.
func (v *verifier) mbarrier(in *Instr) {
	remote := in.Has("shared::cluster")
	last, constant := in.Args[len(in.Args)-1].(Int)
	switch {
	case in.Has("init"):
		if constant && (last.Value < 1 || last.Value > maxArrivals) {
			v.on(in, RuleMbarrier, "the arrival count is %d; it is 1 to %d", last.Value, maxArrivals)
		}
	case in.Has("arrive"), in.Has("arrive_drop"):
		if _, sink := in.Args[0].(Sink); remote && !sink {
			v.on(in, RuleMbarrier, "the state of an mbarrier in another CTA cannot be returned; write \"_\" as the first operand")
		}
		if !in.Has("expect_tx") && constant && (last.Value < 1 || last.Value > maxArrivals) {
			v.on(in, RuleMbarrier, "arrives %d times; the count is 1 to %d", last.Value, maxArrivals)
		}
	case in.Has("parity"):
		if parity, ok := in.Args[2].(Int); ok && parity.Value != 0 && parity.Value != 1 {
			v.on(in, RuleMbarrier, "the parity is %d; it is 0 or 1", parity.Value)
		}
	}
	if remote && (in.Has("test_wait") || in.Has("try_wait")) {
		v.on(in, RuleMbarrier, "waits on an mbarrier of another CTA; a thread can wait only on mbarriers of its own CTA, .shared::cta")
	}
}

// namedBarrier checks the constants of bar and barrier: 16 barriers, whole warps
// (PTX 9.7.13.1).
func (v *verifier) namedBarrier(in *Instr) {
	if in.Has("cluster") || in.Has("warp") {
		return
	}
	at := 0
	if in.Has("red") {
		at = 1
	}
	if c, ok := in.Args[at].(Int); ok && (c.Value < 0 || c.Value > 15) {
		v.on(in, RuleBarrier, "the barrier is %d; a CTA has barriers 0 to 15", c.Value)
	}
	if at+1 >= len(in.Args) {
		return
	}
	if c, ok := in.Args[at+1].(Int); ok && !(in.Has("red") && at+2 == len(in.Args)) && (c.Value < 0 || c.Value%32 != 0) {
		v.on(in, RuleBarrier, "waits for %d threads; the number is a multiple of 32, a warp", c.Value)
	}
}
