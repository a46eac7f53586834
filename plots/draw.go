package plots

import (
	"fmt"
	"os"
	"path/filepath"
)

// figures draws all that there is to draw.
func (r records) figures() ([]figure, error) {
	var all []figure
	for _, draw := range []func(records) (figure, error){ladder, sweep, ablations, roofline, budget, precision} {
		f, err := draw(r)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	for _, t := range r.traces {
		f, err := timeline(t)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// Draw reads the records in the folder data and writes every figure to the
// folder out, which it makes if there is none: NAME.svg and NAME.csv. It
// returns the paths of the SVGs. Nothing is written if a record is missing or
// not usable; the error says which, and how to record it.
func Draw(data, out string) ([]string, error) {
	r, err := readRecords(data)
	if err != nil {
		return nil, err
	}
	all, err := r.figures()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	var drawn []string
	for _, f := range all {
		table, err := f.csv()
		if err != nil {
			return nil, err
		}
		path := filepath.Join(out, f.name)
		files[path+".svg"], files[path+".csv"] = f.svg(), table
		drawn = append(drawn, path+".svg")
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, fmt.Errorf("the figures have no folder: %w", err)
	}
	for path, data := range files {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return nil, fmt.Errorf("the figure cannot be written: %w", err)
		}
	}
	return drawn, nil
}
