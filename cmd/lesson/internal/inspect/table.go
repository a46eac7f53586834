package inspect

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// Print writes the report for people: for each kernel the counts that are not
// zero, and the verdicts.
func (r *Report) Print(w io.Writer) error {
	for i, k := range r.Kernels {
		if i > 0 {
			fmt.Fprintln(w)
		}
		heading := fmt.Sprintf("%s: %s", r.Name, k.Name)
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

func (k *Kernel) counts(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  instructions\tPTX\tmachine code")
	for _, m := range Matters() {
		p, s := k.PTX.count(m.Name, m.ptx), k.Machine.count(m.Name, m.sass)
		if (p == "" || p == "0") && (s == "" || s == "0") {
			continue
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", m.Name, p, s)
	}
	fmt.Fprintf(t, "  all\t%s\t%s\n", k.PTX.total(), k.Machine.total())
	return t.Flush()
}

// count is "" where the code is not known or has no such instruction.
func (c *Code) count(matter string, patterns []pattern) string {
	if c == nil || patterns == nil {
		return ""
	}
	return strconv.Itoa(c.Counts[matter])
}

func (c *Code) total() string {
	if c == nil {
		return ""
	}
	return strconv.Itoa(c.Total)
}
