// Package machine is what the command line sees of the computer it runs on:
// files, environment and programs, and among them the parts of a CUDA toolkit.
//
// It looks, and starts nothing unless asked to. It must not know any command,
// nor what a found part is used for.
package machine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Machine is a computer. Tests make one from a map of files.
type Machine struct {
	Root fs.FS                   // of the file system, "/"
	Env  func(key string) string // "" for a variable that is not set
	Dir  string                  // the working directory, absolute
	// Run starts a program, waits for it, and returns what it wrote to its
	// standard output and then to its standard error.
	Run func(ctx context.Context, program string, args ...string) (string, error)
}

// Here is the computer that this process runs on. The error means that it has
// no working directory.
func Here() (Machine, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Machine{}, fmt.Errorf("the working directory cannot be found: %w", err)
	}
	return Machine{Root: os.DirFS("/"), Env: os.Getenv, Dir: dir, Run: run}, nil
}

func run(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("%s was stopped: %w", filepath.Base(program), ctx.Err())
	}
	return stdout.String() + stderr.String(), err
}

// Abs is name as an absolute path.
func (m Machine) Abs(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(m.Dir, name)
}

// Exists reports whether there is a file or folder of this absolute path.
func (m Machine) Exists(name string) bool {
	_, err := fs.Stat(m.Root, rel(name))
	return err == nil
}

// Read reads the file of this absolute path.
func (m Machine) Read(name string) ([]byte, error) {
	text, err := fs.ReadFile(m.Root, rel(name))
	if pathError := new(fs.PathError); errors.As(err, &pathError) {
		return nil, fmt.Errorf("%s cannot be read: %w", name, pathError.Err) // the path in it has lost its slash
	}
	return text, err
}

// Folders lists the folders that a pattern of an absolute path stands for.
func (m Machine) Folders(pattern string) []string {
	matches, _ := fs.Glob(m.Root, rel(pattern)) // fails on a malformed pattern only
	for i, match := range matches {
		matches[i] = "/" + match
	}
	return matches
}

// Program finds a program in the given folders, then on PATH. It returns its
// absolute path, or "" if there is none.
func (m Machine) Program(name string, folders ...string) string {
	for _, dir := range append(folders, filepath.SplitList(m.Env("PATH"))...) {
		if dir == "" {
			continue
		}
		candidate := path.Join(m.Abs(dir), name)
		if info, err := fs.Stat(m.Root, rel(candidate)); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return candidate
		}
	}
	return ""
}

// rel is an absolute path in the terms of io/fs, which has no leading slash.
func rel(name string) string {
	if name = strings.TrimPrefix(path.Clean(name), "/"); name == "" {
		return "."
	}
	return name
}
