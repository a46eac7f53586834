package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gohopper/internal/notebook"
	"gohopper/internal/output"
)

func notebookCommand() command {
	return command{
		name: "notebook", args: "-o DIR [-force] [NAME …]",
		short: "write lessons as Jupyter notebooks for Go",
		long: `Writes each lesson, or those that are named, as a Jupyter notebook: the text
with the code that it names, cells that run the lesson, and a cell with its
kernel to change. They run under GoNB, a Go kernel for Jupyter:
github.com/janpfeifer/gonb. A notebook that is there and differs may hold your
work, so it is kept, unless -force is given.`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			out := fs.String("o", "", "write the notebooks to this `folder`, which is made if there is none")
			force := fs.Bool("force", false, "replace notebooks that differ")
			return func(rest []string) error {
				if *out == "" {
					return mistake{errors.New("say where to write the notebooks: -o DIR")}
				}
				return c.notebooks(*out, *force, rest)
			}
		},
	}
}

func (c *call) notebooks(out string, force bool, names []string) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	chosen, err := c.lessons(names)
	if err != nil {
		return err
	}
	made := map[string][]byte{}
	var kept []string
	for _, l := range chosen {
		data, err := notebook.Make(root, l)
		if err != nil {
			return err
		}
		file := filepath.Join(c.machine.Abs(out), notebook.FileName(l))
		old, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot see whether %s may be written: %w", file, err)
		}
		if err == nil && string(old) != string(data) && !force {
			kept = append(kept, filepath.Join(out, notebook.FileName(l)))
		}
		made[file] = data
	}
	if len(kept) > 0 {
		return fmt.Errorf("%s may hold your work, so nothing was written: choose another folder, or -force replaces it", strings.Join(kept, ", "))
	}
	if err := os.MkdirAll(c.machine.Abs(out), 0o755); err != nil {
		return fmt.Errorf("the notebooks cannot be written: %w", err)
	}
	kind := output.Kind{Name: "a notebook", Is: notebook.Is}
	for file, data := range made {
		if err := kind.Write(file, data); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.stdout, "%d notebooks in %s; they need Jupyter and GoNB\n", len(made), out)
	return nil
}
