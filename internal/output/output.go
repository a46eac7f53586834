// Package output writes the files that programs make for their users: as a
// whole or not at all, and never over a file of another kind.
//
// It must not know what is in a file: a Kind recognises its own.
package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Kind is a kind of file.
type Kind struct {
	Name string                 // with its article: "a report"
	Is   func(data []byte) bool // reports whether a file is one, of any version
}

// Write stores data at path. The file appears as a whole or not at all. A file
// of this kind, or an empty one, is replaced; any other is left alone and is an
// error.
func (k Kind) Write(path string, data []byte) error {
	if err := k.mayReplace(path); err != nil {
		return err
	}
	if err := replace(path, data); err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return nil
}

// Writable says why Write could not store a file at path, for a program to ask
// before it starts the work. It leaves path as it is.
func (k Kind) Writable(path string) error {
	if err := k.mayReplace(path); err != nil {
		return err
	}
	probe, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// mayReplace refuses a path that holds something of another kind.
func (k Kind) mayReplace(path string) error {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0:
		return nil
	case err != nil:
		return fmt.Errorf("cannot see whether %s may be replaced: %w", path, err)
	case !k.Is(data):
		return fmt.Errorf("%s exists and is not %s: choose another path, or remove it", path, k.Name)
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
