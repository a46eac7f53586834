package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"gohopper/internal/output"
)

// Read reads and validates the results at path. Every error names the path.
func Read(path string) ([]Result, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the report: %w", err)
	}
	// An unknown schema has unknown fields, so it is looked at first.
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("%s is not a report: %w", path, err)
	}
	if head.Schema != Schema {
		return nil, fmt.Errorf("%s: %w", path, File{Schema: head.Schema}.Validate())
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var f File
	if err := decoder.Decode(&f); err != nil {
		return nil, fmt.Errorf("%s is not a report: %w", path, err)
	}
	if err := f.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f.Results, nil
}

// Write derives the summaries, validates and stores the results at path. The
// file appears as a whole or not at all. A report at path is replaced; any
// other file is left alone and is an error.
func Write(path string, results []Result) error {
	f := File{Schema: Schema, Results: make([]Result, len(results))}
	for i, r := range results {
		r.Summary = nil
		if len(r.problems()) == 0 {
			r.Summary = r.Summarise()
		}
		f.Results[i] = r
	}
	if err := f.Validate(); err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return kind().Write(path, append(data, '\n'))
}

// Writable says why Write could not store a report at path, for a program to
// ask before it starts the work. It leaves path as it is.
func Writable(path string) error { return kind().Writable(path) }

// kind is reports of this or another version.
func kind() output.Kind {
	return output.Kind{Name: "a report", Is: func(data []byte) bool {
		var head struct {
			Schema string `json:"schema"`
		}
		return json.Unmarshal(data, &head) == nil && strings.HasPrefix(head.Schema, schemaName)
	}}
}
