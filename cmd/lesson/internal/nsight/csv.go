package nsight

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Value is a metric's value for one launch of a kernel.
type Value struct {
	Metric
	Kernel string  `json:"kernel"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
}

// ErrNoPermission is what ncu says where only the administrator may read the
// counters.
var ErrNoPermission = errors.New("the driver keeps the GPU's counters for the administrator (ERR_NVGPUCTRPERM): run it as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0")

// Parse reads the log of a run: lines that begin with "==", and a table of
// comma-separated values with a line for each metric. Values that ncu could not
// take are left out; columns are found by their names.
func Parse(log string, metrics []Metric) ([]Value, error) {
	var table []string
	for line := range strings.Lines(log) {
		switch {
		case strings.Contains(line, "ERR_NVGPUCTRPERM"):
			return nil, ErrNoPermission
		case strings.HasPrefix(line, `"`):
			table = append(table, line)
		case strings.HasPrefix(line, "==ERROR=="):
			return nil, fmt.Errorf("ncu: %s", strings.TrimSpace(strings.TrimPrefix(line, "==ERROR==")))
		}
	}
	if len(table) == 0 {
		return nil, errors.New("ncu measured no launch of the kernel")
	}
	rows, err := csv.NewReader(strings.NewReader(strings.Join(table, ""))).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("ncu's table cannot be read: %w", err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	var at [4]int
	for i, name := range []string{"Kernel Name", "Metric Name", "Metric Unit", "Metric Value"} {
		c, ok := column[name]
		if !ok {
			return nil, fmt.Errorf("ncu's table has no column %q: this release writes another form", name)
		}
		at[i] = c
	}
	var values []Value
	for _, row := range rows[1:] {
		i := slices.IndexFunc(metrics, func(m Metric) bool { return m.Name == row[at[1]] })
		v, err := strconv.ParseFloat(strings.ReplaceAll(row[at[3]], ",", ""), 64)
		if i < 0 || err != nil {
			continue // "n/a", or a line of another kind
		}
		values = append(values, Value{metrics[i], row[at[0]], v, row[at[2]]})
	}
	// In the order of what was asked, whatever ncu's order.
	slices.SortStableFunc(values, func(a, b Value) int {
		return slices.Index(metrics, a.Metric) - slices.Index(metrics, b.Metric)
	})
	return values, nil
}

// String is the value with its unit, short enough for a table.
func (v Value) String() string {
	switch {
	case v.Unit == "%":
		return fmt.Sprintf("%.1f %%", v.Value)
	case strings.HasPrefix(v.Unit, "nsecond") || v.Unit == "ns":
		return fmt.Sprintf("%.3f ms", v.Value/1e6)
	case v.Unit == "byte":
		return scaled(v.Value) + "B"
	case v.Unit == "hz" || v.Unit == "Hz" || v.Unit == "cycle/second":
		return scaled(v.Value) + "Hz"
	case v.Unit == "" || v.Unit == "inst" || v.Unit == "cycle":
		return strconv.FormatFloat(v.Value, 'f', -1, 64)
	}
	return strconv.FormatFloat(v.Value, 'f', -1, 64) + " " + v.Unit
}

// scaled writes a number with three digits and a decimal prefix.
func scaled(x float64) string {
	for _, prefix := range []string{"", "k", "M", "G"} {
		if x < 1000 {
			return fmt.Sprintf("%.3g %s", x, prefix)
		}
		x /= 1000
	}
	return fmt.Sprintf("%.3g T", x)
}
