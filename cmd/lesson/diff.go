package main

import (
	"errors"
	"flag"
	"fmt"
	"path"
	"strings"
	"text/tabwriter"

	"github.com/aymanbagabas/go-udiff"

	"gohopper/cmd/lesson/internal/inspect"
	"gohopper/lessons"
)

func diffCommand() command {
	return command{
		name: "diff", args: "A B [-ptx] [-json]",
		short: "the step from one lesson to another",
		long: `Shows how kernel.go changes from lesson A to lesson B, as a unified diff, and
how large the step is. With -ptx it also shows how the kernel's instructions
change in number.`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			p := &programs{call: c, tags: "none"}
			withPTX := fs.Bool("ptx", false, "compare the instructions of the PTX, too")
			asJSON := fs.Bool("json", false, "print JSON")
			return func(rest []string) error {
				if len(rest) != 2 {
					return mistake{errors.New("give two lessons, as in lesson diff v4 v5")}
				}
				pair, err := c.lessons(rest)
				if err != nil {
					return err
				}
				step, err := p.step(pair[0], pair[1], *withPTX)
				if err != nil {
					return err
				}
				if *asJSON {
					return c.printJSON(step)
				}
				return step.print(c)
			}
		},
	}
}

// step is the difference between two lessons.
type step struct {
	From         string             `json:"from"`
	To           string             `json:"to"`
	LinesFrom    int                `json:"lines_from"`
	LinesTo      int                `json:"lines_to"`
	Removed      int                `json:"removed"` // lines of From
	Added        int                `json:"added"`   // lines of To
	Unified      string             `json:"unified"`
	Instructions []instructionCount `json:"instructions,omitempty"`
}

// instructionCount is how often an instruction stands in the PTX of two
// kernels.
type instructionCount struct {
	Name string `json:"name"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

func (p *programs) step(from, to lessons.Lesson, withPTX bool) (*step, error) {
	root, err := p.call.root()
	if err != nil {
		return nil, err
	}
	var text [2]string
	for i, l := range []lessons.Lesson{from, to} {
		kernel, err := p.call.machine.Read(path.Join(root, l.Folder, "kernel.go"))
		if err != nil {
			return nil, fmt.Errorf("the kernel of %s: %w", l.Name, err)
		}
		text[i] = string(kernel)
	}
	s, err := compare(from.Name, to.Name, text[0], text[1])
	if err != nil || !withPTX {
		return s, err
	}
	defer p.close()
	var code [2]*inspect.Code
	for i, l := range []lessons.Lesson{from, to} {
		k, err := p.kernel(l)
		if err != nil {
			return nil, err
		}
		code[i] = k.PTX
	}
	s.Instructions = compareCode(code[0], code[1])
	return s, nil
}

// compare makes the diff of two kernel.go.
func compare(from, to, textFrom, textTo string) (*step, error) {
	s := &step{From: from, To: to, LinesFrom: strings.Count(textFrom, "\n"), LinesTo: strings.Count(textTo, "\n")}
	diff, err := udiff.ToUnifiedDiff(from+"/kernel.go", to+"/kernel.go", textFrom, udiff.Lines(textFrom, textTo), udiff.DefaultContextLines)
	if err != nil {
		return nil, fmt.Errorf("%s and %s cannot be compared: %w", from, to, err)
	}
	s.Unified = diff.String()
	for _, hunk := range diff.Hunks {
		for _, line := range hunk.Lines {
			switch line.Kind {
			case udiff.Delete:
				s.Removed++
			case udiff.Insert:
				s.Added++
			}
		}
	}
	return s, nil
}

// compareCode lists the instructions of which the number differs, and the
// total.
func compareCode(from, to *inspect.Code) []instructionCount {
	var rows []instructionCount
	for _, m := range inspect.Matters() {
		if a, b := from.Counts[m.Name], to.Counts[m.Name]; a != b {
			rows = append(rows, instructionCount{m.Name, a, b})
		}
	}
	return append(rows, instructionCount{"all", from.Total, to.Total})
}

func (s *step) print(c *call) error {
	fmt.Fprint(c.stdout, s.Unified)
	if s.Unified != "" {
		fmt.Fprintln(c.stdout)
	}
	fmt.Fprintf(c.stdout, "%s to %s: %d of %d lines go, %d of %d are new (%.0f%% of %s)\n",
		s.From, s.To, s.Removed, s.LinesFrom, s.Added, s.LinesTo, 100*float64(s.Added)/float64(max(1, s.LinesTo)), s.To)
	if s.Instructions == nil {
		return nil
	}
	t := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\nPTX instructions\t%s\t%s\tdifference\n", s.From, s.To)
	for _, i := range s.Instructions {
		fmt.Fprintf(t, "%s\t%d\t%d\t%+d\n", i.Name, i.From, i.To, i.To-i.From)
	}
	return t.Flush()
}
