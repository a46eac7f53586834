package main

import (
	"fmt"
	"strconv"
	"strings"
)

// own is the example that is none: the steps were changed.
const own = "own"

func mbarrierControls() []control {
	var choices []option
	for _, e := range examples() {
		choices = append(choices, option{e.name, e.label})
	}
	first := examples()[0]
	return []control{
		choice("example", "example", first.name, append(choices, option{own, "your own steps"})...),
		number("count", "arrivals of a phase", first.count, 1, 8, 1),
		{Name: "steps", Label: "steps", Kind: textKind, Value: first.steps, Options: []option{
			{"arrive", "arrive"}, {"arrive.expect_tx 4096", "arrive.expect_tx 4096"}, {"expect_tx 4096", "expect_tx 4096"},
			{"complete_tx 4096", "complete_tx 4096"}, {"wait 0", "wait 0"}, {"wait 1", "wait 1"}}},
		{Name: "step", Label: "step", Kind: turnKind, Value: "5", Min: 0, Max: mostSteps, Step: 1},
	}
}

// follow lets the steps follow the example, or the example the steps,
// whichever was changed last.
func follow(s *settings) {
	for _, e := range examples() {
		if e.name == s.text("example") {
			if s.changed == "example" {
				s.put("count", e.count)
				s.put("steps", e.steps)
				s.put("step", mostSteps) // all of it
			} else if s.text("steps") != e.steps || s.text("count") != strconv.Itoa(e.count) {
				s.put("example", own)
			}
		}
	}
	if s.changed == "steps" {
		s.put("step", mostSteps)
	}
}

func drawMbarrier(s *settings, a *answer) {
	follow(s)
	steps, err := parseSteps(s.text("steps"))
	if err != nil {
		s.fail("%v", err)
		return
	}
	at := s.within("step", len(steps))
	r, err := record(s.whole("count"), steps, 1)
	if err != nil {
		s.fail("the emulator refuses the kernel: %v", err)
		return
	}
	a.Drawing = r.draw(s.whole("count"), steps, at)
	a.Said = r.say(steps, at)
	var output strings.Builder
	for _, f := range r.found {
		output.WriteString(f.String())
	}
	a.Output = output.String()
	a.Table = table{Caption: "The steps", Head: []string{"step", "what", "phase", "parity", "arrivals missing", "bytes missing", "waits"}}
	for i, m := range r.moments {
		var waits []string
		for n, x := range r.waiters {
			if x.step == i {
				waits = append(waits, fmt.Sprintf("wait %c %s", letter(n), x.verdict()))
			} else if x.passed == i {
				waits = append(waits, fmt.Sprintf("wait %c goes on", letter(n)))
			}
		}
		a.Table.add(strconv.Itoa(i), name(steps, i), strconv.FormatUint(m.phase, 10), strconv.FormatUint(m.phase&1, 10),
			strconv.Itoa(m.missing), strconv.Itoa(m.tx), strings.Join(waits, "; "))
	}
}

// letter is how the drawing calls a wait.
func letter(n int) rune { return rune('A' + n) }

// name is what stands at a step.
func name(steps []step, i int) string {
	if i == 0 {
		return "init"
	}
	return steps[i-1].String()
}

// verdict is what became of a wait.
func (x waiter) verdict() string {
	switch {
	case !x.asked:
		return "is never reached"
	case x.atOnce:
		return "returns at once"
	case x.passed < 0:
		return "hangs"
	}
	return fmt.Sprintf("holds until step %d", x.passed)
}

// say puts a step into words.
func (r *recording) say(steps []step, at int) string {
	m := r.moments[at]
	text := fmt.Sprintf("Step %d, %s: ", at, name(steps, at))
	if m.done {
		text += fmt.Sprintf("phase %d is complete. ", m.phase-1)
	}
	text += fmt.Sprintf("The mbarrier is in phase %d, of parity %d; it misses %s and %s.", m.phase, m.phase&1, count(m.missing, "arrival"), count(m.tx, "byte"))
	if m.tx < 0 {
		text = strings.TrimSuffix(text, fmt.Sprintf(" and %s.", count(m.tx, "byte"))) +
			fmt.Sprintf(", and %s have come that nobody announced.", count(-m.tx, "byte"))
	}
	for n, x := range r.waiters {
		switch {
		case x.step == at && x.atOnce:
			text += fmt.Sprintf(" Wait %c asks for parity %d and returns at once: the phase before the present one has it.", letter(n), x.parity)
		case x.step == at && x.passed < 0:
			text += fmt.Sprintf(" Wait %c asks for parity %d, which is that of the present phase, and hangs: this phase never ends.", letter(n), x.parity)
		case x.step == at:
			text += fmt.Sprintf(" Wait %c asks for parity %d, which is that of the present phase, and holds.", letter(n), x.parity)
		case x.passed == at:
			text += fmt.Sprintf(" Wait %c goes on.", letter(n))
		}
	}
	return text
}

// The columns of the strip.
const (
	rowHigh   = 26.0
	wordsAt   = 20.0
	phaseAt   = 176.0
	missingAt = 222.0
	bytesAt   = 272.0
	waitsAt   = 318.0
	waitWide  = 20.0
)

// draw is the strip: time goes down, a row for each step. Rows after the
// present step are pale.
func (r *recording) draw(arrivals int, steps []step, at int) string {
	d := &svg{}
	for _, head := range []struct {
		x    float64
		text string
	}{{phaseAt, "phase"}, {missingAt, "arrivals"}, {bytesAt, "bytes"}, {waitsAt + waitWide*mostWaits/2, "waits"}} {
		d.text("small soft words", head.x, 10, head.text)
	}
	top := func(i int) float64 { return 16 + rowHigh*float64(i) }
	for i, m := range r.moments {
		y := top(i)
		d.rect("cell", 0, y, wide, rowHigh, fmt.Sprintf("step=%d", i))
		d.text("small soft end", wordsAt-6, y+17, strconv.Itoa(i))
		d.text("small start", wordsAt, y+17, name(steps, i))
		class, text := "read", ""
		if m.phase&1 == 1 {
			class, text = "chosen", "on"
		}
		d.rect(class, phaseAt-18, y, 36, rowHigh, fmt.Sprintf("step=%d", i))
		d.text(text, phaseAt, y+17, fmt.Sprintf("%d: %d", m.phase, m.phase&1))
		d.text("", missingAt, y+17, fmt.Sprintf("%d of %d", m.missing, arrivals))
		d.text("", bytesAt, y+17, strconv.Itoa(m.tx))
	}
	for n, x := range r.waiters {
		r.wait(d, n, x, top)
	}
	if at < len(steps) {
		d.rect("veil", 0, top(at+1), wide, top(len(steps)+1)-top(at+1), "")
	}
	d.rect("frame", 0.75, top(at), wide-1.5, rowHigh, "")
	d.text("small soft words start", 0, top(len(steps)+1)+14, "number: parity of the phase; arrivals and bytes that it still misses")
	d.text("small soft words start", 0, top(len(steps)+1)+28, "a wait: ● returns at once or goes on, ✕ hangs")
	return d.finish("An mbarrier, step by step: its phase, the arrivals and bytes that it misses, and the waits that it holds")
}

// wait draws a wait from the step at which it asks to the one after which it
// goes on.
func (r *recording) wait(d *svg, n int, x waiter, top func(int) float64) {
	left := waitsAt + waitWide*float64(n)
	end, sign, class := x.passed, "●", "read"
	if x.passed < 0 {
		end, sign, class = len(r.moments)-1, "✕", "bad"
	}
	if x.asked {
		d.rect(class, left+3, top(x.step)+2, waitWide-6, top(end+1)-top(x.step)-4, "")
		d.text("small", left+waitWide/2, top(end+1)-4, sign)
	}
	d.text("small", left+waitWide/2, top(x.step)+12, fmt.Sprintf("%c", letter(n)))
}
