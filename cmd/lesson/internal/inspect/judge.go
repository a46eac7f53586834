package inspect

import (
	"fmt"
	"slices"
)

// Level is how a verdict is meant.
type Level string

// The levels of a verdict.
const (
	Good Level = "good"
	Bad  Level = "bad"
	Note Level = "note" // worth knowing, neither good nor bad
)

// Verdict is one judgement, with its reason, in one line.
type Verdict struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
}

// OK reports whether nothing is bad.
func (r *Report) OK() bool {
	bad := func(v Verdict) bool { return v.Level == Bad }
	return !slices.ContainsFunc(r.Verdicts, bad) &&
		!slices.ContainsFunc(r.Kernels, func(k Kernel) bool { return slices.ContainsFunc(k.Verdicts, bad) })
}

func (r *Report) note(format string, args ...any) {
	r.Verdicts = append(r.Verdicts, Verdict{Note, fmt.Sprintf(format, args...)})
}

func (r *Report) bad(format string, args ...any) {
	r.Verdicts = append(r.Verdicts, Verdict{Bad, fmt.Sprintf(format, args...)})
}

func (r *Report) judge(wantWgmma bool) {
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.PTX != nil {
			k.judgePTX(wantWgmma && k.Entry)
		}
		if k.Machine != nil {
			k.judgeMachine(wantWgmma && k.Entry)
		}
		k.judgeBuild()
	}
}

func (k *Kernel) say(level Level, format string, args ...any) {
	k.Verdicts = append(k.Verdicts, Verdict{level, fmt.Sprintf(format, args...)})
}

// judgePTX looks for words that are missing beside others.
func (k *Kernel) judgePTX(wantWgmma bool) {
	n := k.PTX.Counts
	if n[wgmma] > 0 {
		for _, need := range []struct{ matter, why string }{
			{wgmmaFence, "the first wgmma may read registers before they are written (PTX 9.7.15.7.1)"},
			{wgmmaCommit, "nothing can wait for the products (PTX 9.7.15.7.2)"},
			{wgmmaWait, "the accumulator is read while it is being written (PTX 9.7.15.7.3)"},
		} {
			if n[need.matter] == 0 {
				k.say(Bad, "wgmma without a %s: %s", need.matter, need.why)
			}
		}
	} else if wantWgmma && k.Machine == nil {
		k.say(Bad, "there is no wgmma in the PTX: this kernel is meant to use it")
	}
	if n[barrierInit] > 0 && n[initFence]+n[proxyFence] == 0 {
		k.say(Bad, "mbarrier.init without a fence: the TMA engine may not see the barrier; fence.mbarrier_init follows it (PTX 9.7.13.4)")
	}
	if n[tmaStore] > 0 && n[proxyFence] == 0 {
		k.say(Bad, "TMA stores without fence.proxy.async: the engine may read shared memory before the threads' stores (PTX 9.7.13.4)")
	}
	if n[asyncCopy] > 0 {
		k.say(Bad, "%d cp.async: each thread copies 16 bytes; one thread's TMA load copies a tile", n[asyncCopy])
	}
}

// judgeMachine looks at what the assembler made of it.
func (k *Kernel) judgeMachine(wantWgmma bool) {
	n := k.Machine.Counts
	inPTX := func(matter string) int {
		if k.PTX == nil {
			return 0
		}
		return k.PTX.Counts[matter]
	}
	switch {
	case n[wgmma] > 0 && n[warpMMA] > 0:
		k.say(Bad, "%d HGMMA and %d HMMA: some of the products take the route through registers, at about 63%% of the rate", n[wgmma], n[warpMMA])
	case n[wgmma] > 0:
		k.say(Good, "%d HGMMA: products read shared memory, issued by a warpgroup", n[wgmma])
	case wantWgmma && n[warpMMA] > 0:
		k.say(Bad, "%d HMMA and no HGMMA: products take the route through registers, at about 63%% of the rate; use wgmma", n[warpMMA])
	case wantWgmma:
		k.say(Bad, "there is no HGMMA: this kernel is meant to use wgmma")
	case n[warpMMA] > 0:
		k.say(Note, "%d HMMA: products take the route through registers, which reaches about 63%% of Hopper's rate", n[warpMMA])
	}
	for _, kept := range []struct{ matter, code, good string }{
		{tmaLoad, "UTMALDG", "one instruction loads a tile"},
		{tmaMulticast, "UTMALDG with MULTICAST", "one read of L2 fills several SMs"},
		{tmaStore, "UTMASTG", "one instruction stores a tile"},
		{setMaxReg, "USETMAXREG", "registers move between warpgroups"},
	} {
		switch {
		case n[kept.matter] > 0:
			k.say(Good, "%d %s: %s", n[kept.matter], kept.code, kept.good)
		case inPTX(kept.matter) > 0:
			k.say(Bad, "the PTX has %s and the machine code no %s: the assembler dropped it", kept.matter, kept.code)
		}
	}
	if k.PTX == nil && n[asyncCopy] > 0 {
		k.say(Bad, "%d LDGSTS: copies by threads, as before Hopper; one thread's TMA load copies a tile", n[asyncCopy])
	}
	if n[localLoad]+n[localStore] > 0 {
		k.say(Bad, "%d LDL, %d STL: registers spill to memory, or an array is indexed at run time; make the tile smaller or move registers with setmaxnreg",
			n[localLoad], n[localStore])
	} else {
		k.say(Good, "no LDL, no STL: nothing spills")
	}
}

// registerFile is the number of 32-bit registers of an SM of compute
// capability 9.0 (CUDA C++ Programming Guide, compute capabilities).
const registerFile = 65536

// judgeBuild weighs the registers.
func (k *Kernel) judgeBuild() {
	if k.Build == nil || !k.Entry {
		return
	}
	total := k.Build.Registers * k.Threads
	switch {
	case k.Threads == 0:
		k.say(Note, "%d registers a thread", k.Build.Registers)
	case total > registerFile:
		k.say(Bad, "%d registers x %d threads are more than the %d of an SM: it cannot be launched", k.Build.Registers, k.Threads, registerFile)
	default:
		k.say(Good, "%d registers x %d threads: %d of an SM's %d", k.Build.Registers, k.Threads, total, registerFile)
	}
}
