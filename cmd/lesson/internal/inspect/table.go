package inspect

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
)

// Print writes the report for people: for each kernel the counts that are not
// zero, and the verdicts. A device function that was inlined everywhere is left
// out.
func (r *Report) Print(w io.Writer) error {
	separator := ""
	for _, k := range r.Kernels {
		if !k.Entry && k.Machine == nil && r.Assembler != "" {
			continue
		}
		heading := fmt.Sprintf("%s%s: %s", separator, r.Name, k.Name)
		separator = "\n"
		if !k.Entry {
			heading += ", a device function"
		}
		if k.Machine != nil && r.Assembler != "" {
			heading += ", assembled by " + r.Assembler
		}
		fmt.Fprintln(w, heading)
		if err := k.counts(w); err != nil {
			return err
		}
		print(w, k.Verdicts)
	}
	print(w, r.Verdicts)
	return nil
}

func print(w io.Writer, verdicts []Verdict) {
	for _, v := range verdicts {
		fmt.Fprintf(w, "  %-4s  %s\n", v.Level, v.Text)
	}
}

// counts writes a line for each matter that occurs, with a column for each form
// of the code that is known.
func (k *Kernel) counts(w io.Writer) error {
	type column struct {
		heading string
		code    *Code
		of      func(Matter) []pattern
	}
	columns := []column{
		{"PTX", k.PTX, func(m Matter) []pattern { return m.ptx }},
		{"machine code", k.Machine, func(m Matter) []pattern { return m.sass }},
	}
	columns = slices.DeleteFunc(columns, func(c column) bool { return c.code == nil })

	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name string, cell func(column) string) {
		fmt.Fprint(t, "  ", name)
		for _, c := range columns {
			fmt.Fprint(t, "\t", cell(c))
		}
		fmt.Fprintln(t)
	}
	row("instructions", func(c column) string { return c.heading })
	for _, m := range Matters() {
		if !slices.ContainsFunc(columns, func(c column) bool { return c.code.Counts[m.Name] > 0 }) {
			continue
		}
		row(m.Name, func(c column) string {
			if c.of(m) == nil {
				return "-" // it has no instruction of its own there
			}
			return strconv.Itoa(c.code.Counts[m.Name])
		})
	}
	row("all", func(c column) string { return strconv.Itoa(c.code.Total) })
	return t.Flush()
}
