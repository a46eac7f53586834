package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Table writes the results for people, a line for each work with the median
// over its processes and the range in brackets. The results must be valid.
func Table(w io.Writer, results []Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "lesson\tkernel\ttype\tshape\torigin\tprocesses\tTFLOP/s\tlibrary\tratio\tverified")
	for _, c := range Combine(results) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%v\t%s\t%d\t%s\t%s\t%s\t%s\n",
			c.Lesson, c.Kernel, c.Type, c.Shape, c.Origin, c.Processes,
			c.TFLOPS.text(1), c.Library.text(1), c.Ratio.text(3), c.verdict())
	}
	return t.Flush()
}

// Distinct lists the different texts once each, sorted, with a word between
// them. It sorts what it is given.
func Distinct(texts []string, word string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), word)
}

func (r *Range) text(digits int) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%.*f (%.*f to %.*f)", digits, r.Median, digits, r.Min, digits, r.Max)
}

func (c Combined) verdict() string {
	if !c.Verified {
		return "WRONG"
	}
	return fmt.Sprintf("worst %.2f of its bound", c.Worst)
}
