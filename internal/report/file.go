package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
	if err := mayReplace(path); err != nil {
		return err
	}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	if err := replace(path, append(data, '\n')); err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return nil
}

// Writable says why Write could not store a report at path, for a program to
// ask before it starts the work. It leaves path as it is.
func Writable(path string) error {
	if err := mayReplace(path); err != nil {
		return err
	}
	probe, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// mayReplace refuses a path that holds something other than a report of this
// or another version.
func mayReplace(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot see whether %s may be replaced: %w", path, err)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if json.Unmarshal(data, &head) != nil || !strings.HasPrefix(head.Schema, schemaName) {
		return fmt.Errorf("%s exists and is not a report: choose another path, or remove it", path)
	}
	return nil
}

// replace writes beside path and renames, so that no reader sees a part.
func replace(path string, data []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // after a rename there is nothing to remove
	_, err = temporary.Write(data)
	if err == nil {
		err = temporary.Chmod(0o644)
	}
	if err == nil {
		err = temporary.Sync()
	}
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
