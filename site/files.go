package site

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Files is a website: contents by name, with slashes, below its folder.
type Files map[string][]byte

// Names lists the files in order.
func (f Files) Names() []string { return slices.Sorted(maps.Keys(f)) }

// Size is the bytes of all files.
func (f Files) Size() int {
	total := 0
	for _, data := range f {
		total += len(data)
	}
	return total
}

// Write puts the files below a folder, which is made if there is none. Files
// that are there already and have the right contents are left alone; others
// of the folder are not touched.
func (f Files) Write(dir string) error {
	for _, name := range f.Names() {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if old, err := os.ReadFile(path); err == nil && string(old) == string(f[name]) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("the site cannot be written: %w", err)
		}
		if err := os.WriteFile(path, f[name], 0o644); err != nil {
			return fmt.Errorf("the site cannot be written: %w", err)
		}
	}
	return nil
}
