package main

import (
	"flag"
	"fmt"
	"io"
	"text/tabwriter"
)

func helpCommand() command {
	return command{
		name: "help", args: "[COMMAND]", short: "show this list, or what one command does",
		long: "Lists the commands, or shows what COMMAND does, as COMMAND -h would.",
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			return func(rest []string) error {
				if len(rest) == 0 {
					overview(c.stdout)
					return nil
				}
				cmd, err := find(rest[0])
				if err != nil {
					return err
				}
				return cmd.do(c, []string{"-h"})
			}
		},
	}
}

// overview lists the commands.
func overview(w io.Writer) {
	fmt.Fprint(w, "usage: lesson COMMAND [arguments]\n\ncommands:\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, cmd := range commands() {
		fmt.Fprintf(t, "  %s\t%s\n", cmd.name, cmd.short)
	}
	t.Flush()
	fmt.Fprint(w, "\nlesson COMMAND -h shows its arguments. Status: 0 success, 1 failure, 2 a mistake on the command line.\n")
}

// suggestion is ": did you mean x?" for the one nearest name, or "" if none is
// near or several are as near.
func suggestion(name string, names []string) string {
	best, least := "", max(2, len(name)/2)+1
	for _, n := range names {
		switch d := distance(name, n); {
		case d < least:
			best, least = n, d
		case d == least:
			best = ""
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(": did you mean %s?", best)
}

// distance is how many letters must be put in, left out or exchanged to make b
// of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
