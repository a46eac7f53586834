package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"gohopper/site"
)

func siteCommand() command {
	return command{
		name: "site", args: "[-o DIR] [-port N] [-programs=false]",
		short: "build the website, and show it on this machine",
		long: `Builds the website of the course: the lessons' text beside their code, the
reference, and each lesson's program for the browser. Without -o it serves it
to this machine alone and follows the sources: a page that is changed reloads.
With -o it writes the site to a folder and ends; it works from a disk and
below any address.`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			out := fs.String("o", "", "write the site to this `folder`, and serve nothing")
			port := fs.Int("port", 8421, "the `port` to serve on; 0 for any that is free")
			programs := fs.Bool("programs", true, "compile the pages' programs for the browser")
			return func(rest []string) error {
				if err := noMore(rest); err != nil {
					return err
				}
				return c.site(*out, *port, *programs)
			}
		},
	}
}

func (c *call) site(out string, port int, withPrograms bool) error {
	src, err := c.source()
	if err != nil {
		return err
	}
	var programs site.Files
	if withPrograms {
		if programs, err = c.sitePrograms(src); err != nil {
			return err
		}
	}
	if out == "" {
		s := site.Server{Root: src.root, Programs: programs, Tell: func(line string) { fmt.Fprintln(c.stdout, line) }}
		return s.Serve(c.ctx, fmt.Sprintf("127.0.0.1:%d", port))
	}
	files, err := site.Make(src.root)
	if err != nil {
		return err
	}
	for name, data := range programs {
		files[name] = data
	}
	if err := files.Write(c.machine.Abs(out)); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%d files, %.1f MB: open %s\n", len(files), float64(files.Size())/1e6, filepath.Join(out, "index.html"))
	return nil
}

// sitePrograms compiles the pages' programs for the browser, with a line of progress.
func (c *call) sitePrograms(src source) (site.Files, error) {
	goroot, err := exec.CommandContext(c.ctx, src.gobin, "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("this Go has no support for browsers: %w", err)
	}
	compiler := site.Compiler{Glue: glue, Build: func(folder, file string) error {
		cmd := exec.CommandContext(c.ctx, src.gobin, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", file, "./"+folder)
		cmd.Dir, cmd.Env = src.root, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s does not build for the browser: %w\n%s", folder, err, strings.TrimSpace(string(out)))
		}
		return nil
	}}
	done, total := 0, len(site.Programs())
	fmt.Fprintf(c.stderr, "programs 0/%d", total)
	files, err := compiler.Programs(site.Programs(), func(name string) {
		done++
		fmt.Fprintf(c.stderr, "\rprograms %d/%d %s", done, total, name)
	})
	fmt.Fprintln(c.stderr)
	return files, err
}
