package plots

import (
	"fmt"
	"os"
	"path/filepath"
)

// figures is what there is to draw.
func figures() []func(records) (figure, error) {
	return []func(records) (figure, error){ladder, sweep, ablations, roofline}
}

// Draw reads the records in the folder data and writes every figure to the
// folder out, which must exist: NAME.svg and NAME.csv. It returns the paths of
// the SVGs. Nothing is written if a record is missing or not usable; the error
// says which, and how to record it.
func Draw(data, out string) ([]string, error) {
	r, err := readRecords(data)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	var drawn []string
	for _, make := range figures() {
		f, err := make(r)
		if err != nil {
			return nil, err
		}
		table, err := f.csv()
		if err != nil {
			return nil, err
		}
		path := filepath.Join(out, f.name)
		files[path+".svg"], files[path+".csv"] = f.svg(), table
		drawn = append(drawn, path+".svg")
	}
	for path, data := range files {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return nil, fmt.Errorf("the figure cannot be written: %w", err)
		}
	}
	return drawn, nil
}
