package formtest

import (
	"slices"
	"strings"
)

// mostExpansions is how many instructions a line of the emulator's table may
// stand for before only a covering choice of them is taken.
const mostExpansions = 600

// choices is a line of the table as lists: each word's alternatives, "" for an
// optional word that is left out.
func choices(mods string) (words [][]string) {
	for word := range strings.FieldsSeq(mods) {
		choice, optional := strings.CutPrefix(word, "?")
		alternatives := strings.Split(choice, "|")
		if optional {
			alternatives = append([]string{""}, alternatives...)
		}
		words = append(words, alternatives)
	}
	return words
}

// expand makes instructions of a line of the table: all that it stands for,
// or, of a long one, so many that every two alternatives of different words
// meet in one.
func expand(mods string) [][]string {
	words := choices(mods)
	total := 1
	for _, w := range words {
		total *= len(w)
	}
	if total > mostExpansions {
		return covering(words)
	}
	var all [][]string
	for n := range total {
		var in []string
		for i := len(words) - 1; i >= 0; i-- {
			in = append(in, words[i][n%len(words[i])])
			n /= len(words[i])
		}
		slices.Reverse(in)
		all = append(all, in)
	}
	return all
}

// pair is two alternatives of different words.
type pair struct{ i, x, j, y int }

// covering chooses instructions so that every pair is in one, greedily.
func covering(words [][]string) [][]string {
	open := map[pair]bool{}
	var order []pair
	for i := range words {
		for j := i + 1; j < len(words); j++ {
			for x := range words[i] {
				for y := range words[j] {
					open[pair{i, x, j, y}] = true
					order = append(order, pair{i, x, j, y})
				}
			}
		}
	}
	var all [][]string
	for _, p := range order {
		if !open[p] {
			continue
		}
		pick := make([]int, len(words))
		for i := range pick {
			pick[i] = -1
		}
		pick[p.i], pick[p.j] = p.x, p.y
		for i := range words {
			if pick[i] >= 0 {
				continue
			}
			best := -1
			for x := range words[i] {
				n := 0
				for j := range words {
					if j == i || pick[j] < 0 {
						continue
					}
					if q := (pair{i, x, j, pick[j]}); i < j && open[q] || j < i && open[pair{j, pick[j], i, x}] {
						n++
					}
				}
				if n > best {
					best, pick[i] = n, x
				}
			}
		}
		var in []string
		for i := range words {
			in = append(in, words[i][pick[i]])
			for j := i + 1; j < len(words); j++ {
				delete(open, pair{i, pick[i], j, pick[j]})
			}
		}
		all = append(all, in)
	}
	return all
}

// dotted is an instruction's name: the opcode and what is not "".
func dotted(op string, mods []string) string {
	name := op
	for _, m := range mods {
		if m != "" {
			name += "." + m
		}
	}
	return name
}

// matches says whether a line of the table describes an instruction.
func matches(line, name string) bool {
	op, mods, _ := strings.Cut(line, " ")
	parts := strings.Split(name, ".")
	if parts[0] != op {
		return false
	}
	rest := parts[1:]
	for word := range strings.FieldsSeq(mods) {
		choice, optional := strings.CutPrefix(word, "?")
		switch {
		case len(rest) > 0 && slices.Contains(strings.Split(choice, "|"), rest[0]):
			rest = rest[1:]
		case !optional:
			return false
		}
	}
	return len(rest) == 0
}
