package main

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits of a list of steps.
const (
	mostSteps = 14
	mostWaits = 4
	mostTx    = 1<<20 - 1 // bytes of one phase, PTX 9.7.13.15.2
)

// step is one operation on the mbarrier of the figure.
type step struct {
	word string // as the PTX has it
	n    int    // bytes, or a parity
}

func (s step) String() string {
	if s.word == "arrive" {
		return s.word
	}
	return fmt.Sprintf("%s %d", s.word, s.n)
}

// bounds is the least and the most that a word's number may be; a word that is
// not there takes none.
func bounds(word string) (least, most int, known bool) {
	switch word {
	case "arrive":
		return 0, 0, true
	case "wait":
		return 0, 1, true
	case "arrive.expect_tx", "expect_tx", "complete_tx":
		return 1, mostTx, true
	}
	return 0, 0, false
}

// parseSteps reads steps with semicolons between them.
func parseSteps(text string) ([]step, error) {
	var steps []step
	waits := 0
	for part := range strings.SplitSeq(text, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		least, most, known := bounds(words[0])
		if !known {
			return nil, fmt.Errorf("there is no step %q; there are arrive, arrive.expect_tx N, expect_tx N, complete_tx N and wait N", words[0])
		}
		s := step{word: words[0]}
		if most == 0 && len(words) > 1 {
			return nil, fmt.Errorf("%s takes no number, so %q is too much", s.word, words[1])
		}
		if most > 0 {
			var err error
			if len(words) == 2 {
				s.n, err = strconv.Atoi(words[1])
			}
			if len(words) != 2 || err != nil || s.n < least || s.n > most {
				return nil, fmt.Errorf("%q: %s takes one number, %d to %d", strings.TrimSpace(part), s.word, least, most)
			}
		}
		if s.word == "wait" {
			waits++
		}
		steps = append(steps, s)
	}
	switch {
	case len(steps) == 0:
		return nil, fmt.Errorf("there are no steps; add one, as in \"arrive\"")
	case len(steps) > mostSteps:
		return nil, fmt.Errorf("%d steps; the strip has room for %d", len(steps), mostSteps)
	case waits > mostWaits:
		return nil, fmt.Errorf("%d waits; each has a warp of its own, and the strip has room for %d", waits, mostWaits)
	}
	return steps, nil
}

// example is a list of steps with something to see in it.
type example struct {
	name, label string
	count       int
	steps       string
}

func examples() []example {
	return []example{
		{"load", "a load: one arrival and its bytes", 1, "arrive.expect_tx 4096; wait 0; complete_tx 2048; complete_tx 2048; wait 0"},
		{"early", "the wrong parity returns at once", 1, "arrive.expect_tx 4096; wait 1; complete_tx 4096"},
		{"hang", "the wrong parity hangs", 1, "arrive.expect_tx 4096; complete_tx 4096; wait 1"},
		{"producer", "the producer's first round: parity 1", 1, "wait 1; arrive; wait 0; arrive; wait 1"},
		{"behind", "two phases behind", 1, "arrive; arrive; wait 0"},
		{"bytes", "more bytes are expected than come", 1, "arrive.expect_tx 8192; wait 0; complete_tx 4096"},
		{"before", "bytes that come before they are announced", 1, "complete_tx 4096; wait 0; arrive.expect_tx 4096"},
		{"two", "two consumers release a stage", 2, "wait 0; arrive; arrive; wait 0"},
		{"many", "one arrival too many", 2, "expect_tx 64; arrive; arrive; arrive"},
	}
}
