package plots

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"gohopper/internal/report"
)

// notesSchema is the first field of a file of numbers that were noted by hand.
const notesSchema = "gohopper figures 1"

// notes is such a file: what a profiler said, what a data sheet says. It says
// itself where its numbers come from and what each of them means.
type notes struct {
	path string

	Schema  string                        `json:"schema"`
	About   string                        `json:"about"`
	Date    string                        `json:"date"`
	Machine report.Machine                `json:"machine"`
	Means   map[string]string             `json:"means"`
	Figures map[string]map[string]float64 `json:"figures"`
}

func readNotes(path string) (notes, error) {
	n := notes{path: path}
	data, err := os.ReadFile(path)
	if err != nil {
		return n, fmt.Errorf("cannot read the notes: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&n); err != nil {
		return n, fmt.Errorf("%s is not a file of noted figures: %w", path, err)
	}
	if n.Schema != notesSchema {
		return n, fmt.Errorf("%s: schema is %q, but this program knows only %q", path, n.Schema, notesSchema)
	}
	return n, nil
}

// number is one noted figure; what is missing or not positive is an error.
func (n notes) number(of, name string) (float64, error) {
	v := n.Figures[of][name]
	if v <= 0 {
		return 0, fmt.Errorf("%s has no figure %s/%s above 0: note it there, with its meaning", n.path, of, name)
	}
	return v, nil
}

// numbers is several figures of one name.
func (n notes) numbers(of string, names ...string) ([]float64, error) {
	var all []float64
	for _, name := range names {
		v, err := n.number(of, name)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}
