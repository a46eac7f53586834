package main

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
)

// moment is an mbarrier after a step.
type moment struct {
	phase       uint64 // the present one
	missing, tx int    // arrivals and bytes that it still needs
	done        bool   // the step completed the phase before
	told        bool   // the step has been seen at all
}

// waiter is a wait: what it was told when it asked, and when it went on.
type waiter struct {
	step   int // at which it asks
	parity int
	phase  uint64 // the present one when it asked
	atOnce bool
	passed int // the step after which it went on; -1 for never
	asked  bool
}

// recording is what the emulator did with a list of steps.
type recording struct {
	moments []moment // the first is that of the initialisation
	waiters []waiter
	found   []event.Finding
}

// pause is the turns of an empty loop between two steps. They are more than any
// slice of the emulator's schedule, so that a waiter looks before the next step.
const pause = 1500

// stripText is the kernel of a list of steps. Warp 0 makes them in their order.
// Each wait has a warp of its own, since it may never return; a named barrier
// lets it begin when its step has come. Line i+1 of the list that is returned
// is the PTX line of step i, the first that of the initialisation.
func stripText(count int, steps []step) (text string, lineOf map[int]int) {
	var b strings.Builder
	lineOf = map[int]int{}
	emit := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	here := func(step int) { lineOf[strings.Count(b.String(), "\n")+1] = step }
	emit(".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry strip()\n{")
	emit("\t.reg .pred %%p<4>;\n\t.reg .b32 %%r<4>;\n\t.shared .align 8 .b64 bar;")
	emit("\tmov.u32 %%r0, %%tid.x;\n\tshr.u32 %%r1, %%r0, 5;\n\tand.b32 %%r2, %%r0, 31;")
	emit("\tsetp.eq.u32 %%p0, %%r0, 0;\n\tsetp.eq.u32 %%p1, %%r2, 0;")
	here(0)
	emit("\t@%%p0 mbarrier.init.shared::cta.b64 [bar], %d;", count)
	emit("\t@%%p0 fence.mbarrier_init.release.cluster;\n\tbar.sync 0;")
	waits := 0
	for _, s := range steps {
		if s.word == "wait" {
			waits++
			emit("\tsetp.eq.u32 %%p2, %%r1, %d;\n\t@%%p2 bra WAITER%d;", waits, waits)
		}
	}
	waits = 0
	for i, s := range steps {
		here(i + 1)
		switch s.word {
		case "wait":
			waits++
			emit("\tbar.sync %d, 64;", waits)
		case "arrive":
			emit("\t@%%p0 mbarrier.arrive.shared::cta.b64 _, [bar];")
		case "arrive.expect_tx":
			emit("\t@%%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %d;", s.n)
		default: // expect_tx and complete_tx, the latter as a copy does when it lands
			emit("\t@%%p0 mbarrier.%s.relaxed.cta.shared::cta.b64 [bar], %d;", s.word, s.n)
		}
		emit("\tmov.u32 %%r3, %d;\nPAUSE%d:\n\tsub.u32 %%r3, %%r3, 1;\n\tsetp.ne.u32 %%p2, %%r3, 0;\n\t@%%p2 bra PAUSE%d;", pause, i, i)
	}
	emit("\tret;")
	waits = 0
	for _, s := range steps {
		if s.word == "wait" {
			waits++
			emit("WAITER%d:\n\tbar.sync %d, 64;", waits, waits)
			emit("AGAIN%d:\n\t@!%%p1 ret;\n\tmbarrier.try_wait.parity.shared::cta.b64 %%p3, [bar], %d;\n\t@!%%p3 bra AGAIN%d;\n\tret;", waits, s.n, waits)
		}
	}
	emit("}")
	return b.String(), lineOf
}

// record runs the kernel of a list of steps on the emulator and follows its
// mbarrier.
func record(count int, steps []step, seed int64) (*recording, error) {
	text, lineOf := stripText(count, steps)
	w := &watch{lineOf: lineOf, count: count}
	w.moments = make([]moment, len(steps)+1)
	for i, s := range steps {
		if s.word == "wait" {
			w.waiters = append(w.waiters, waiter{step: i + 1, parity: s.n, passed: -1})
		}
	}
	m := emu.New(emu.Config{Seed: seed, Workers: 1, Observe: func(event.Launch) event.Observer { return w }})
	defer m.Close()
	module, err := m.Load(text)
	if err != nil {
		return nil, err
	}
	kernel, err := module.Kernel("strip")
	if err != nil {
		return nil, err
	}
	l := device.Launch{Grid: [3]int{1, 1, 1}, Block: [3]int{32 * (1 + len(w.waiters)), 1, 1}}
	if err := kernel.Launch(l); err != nil {
		return nil, err
	}
	w.found = m.Findings()
	w.fill()
	return &w.recording, nil
}

// watch is the observer of the kernel.
type watch struct {
	recording
	lineOf map[int]int // PTX line to step
	count  int
	now    int // the latest step that has been made
}

func (w *watch) Cluster([][3]int) event.Sink { return w }

func (w *watch) Findings() []event.Finding { return nil }

func (w *watch) Finish(bool) []event.Finding { return nil }

// Take notes what happens to the mbarrier.
func (w *watch) Take(e *event.Event) {
	if e.Warp == 0 && e.Instr != nil {
		if step, ok := w.lineOf[e.Instr.Pos.Line]; ok {
			w.now = step
		}
	}
	switch e.Kind {
	case event.MbarrierInit:
		w.moments[0] = moment{missing: e.N, told: true}
	case event.MbarrierUpdate:
		m := moment{phase: e.Phase, missing: e.Missing, tx: e.MissingTx, done: e.Done, told: true}
		if e.Done { // the next phase has begun, with all its arrivals missing
			m.phase, m.missing, m.tx = e.Phase+1, w.count, 0
		}
		w.moments[w.now] = m
	case event.MbarrierTry:
		if x := &w.waiters[e.Warp-1]; !x.asked {
			x.asked, x.phase = true, e.Phase
		}
	case event.MbarrierWait:
		x := &w.waiters[e.Warp-1]
		if !x.asked {
			x.asked, x.phase, x.atOnce = true, e.Phase, true
		}
		x.passed = w.now
	}
}

// fill gives the steps that change nothing, which are the waits, what the
// mbarrier was before.
func (w *watch) fill() {
	for i := 1; i < len(w.moments); i++ {
		if !w.moments[i].told {
			w.moments[i] = w.moments[i-1]
			w.moments[i].done = false
		}
	}
}
