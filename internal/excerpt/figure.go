package excerpt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"gohopper/internal/report"
)

// figuresSchema is the first field of a file of figures and names its version.
const figuresSchema = "gohopper figures 1"

// figures is numbers that no program of this repository records: what a
// profiler said of a kernel, what was noted on the way to one. The file is
// written by hand:
//
//	{
//	  "schema": "gohopper figures 1",
//	  "about": "where the numbers come from, and how far they may be believed",
//	  "date": "2026-11-29",
//	  "machine": {"device": "NVIDIA H200", "driver": "580.159.04"},
//	  "means": {"clock_ghz": "what the figure is, with its unit"},
//	  "figures": {"v7": {"clock_ghz": 1.53}}
//	}
//
// A number is quoted with the digits that the file has.
type figures struct {
	Schema  string                            `json:"schema"`
	About   string                            `json:"about"`
	Date    string                            `json:"date"`
	Machine report.Machine                    `json:"machine"`
	Means   map[string]string                 `json:"means"`
	Figures map[string]map[string]json.Number `json:"figures"`
}

// isFigures reports whether a file says that it holds figures, of whatever
// version.
func isFigures(path string) bool {
	data, err := os.ReadFile(path)
	var head struct {
		Schema string `json:"schema"`
	}
	return err == nil && json.Unmarshal(data, &head) == nil && strings.HasPrefix(head.Schema, "gohopper figures ")
}

// Figure is one number of a file of figures as text. The fragment is
// "name/figure", as in "v7/clock_ghz"; the name may have slashes.
func Figure(path, fragment string) (string, error) {
	f, err := readFigures(path)
	if err != nil {
		return "", err
	}
	cut := strings.LastIndex(fragment, "/")
	if cut < 0 {
		return "", fmt.Errorf("%s#%s: a fragment is name/figure", path, fragment)
	}
	name, figure := fragment[:cut], fragment[cut+1:]
	of, ok := f.Figures[name]
	if !ok {
		return "", fmt.Errorf("%s has no figures of %s: it has those of %s", path, name, list(f.Figures))
	}
	value, ok := of[figure]
	if !ok {
		return "", fmt.Errorf("%s: %s has no %s: it has %s", path, name, figure, list(of))
	}
	return value.String(), nil
}

// readFigures refuses a file that does not say where its numbers come from, or
// what one of them means.
func readFigures(path string) (figures, error) {
	var f figures
	data, err := os.ReadFile(path)
	if err != nil {
		return f, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return f, fmt.Errorf("%s is not a file of figures: %w", path, err)
	}
	if f.Schema != figuresSchema {
		return f, fmt.Errorf("%s: schema is %q, but this program knows only %q", path, f.Schema, figuresSchema)
	}
	if f.About == "" || f.Date == "" || f.Machine.Device == "" {
		return f, fmt.Errorf("%s does not say where its figures come from: write about, date and machine.device", path)
	}
	for name, of := range f.Figures {
		for figure := range of {
			if f.Means[figure] == "" {
				return f, fmt.Errorf("%s: %s/%s has no line in means: say what it is, with its unit", path, name, figure)
			}
		}
	}
	return f, nil
}
