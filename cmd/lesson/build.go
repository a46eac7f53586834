package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"gohopper/lessons"
)

func buildCommand() command {
	return command{
		name: "build", args: "-o DIR [-tags cuda] [NAME...]",
		short: "build lessons to carry to another machine",
		long: `Builds the named lessons, or all, and this command, each to a program of its
own name in DIR. With -tags cuda they need nothing but a driver on the machine
they are carried to, where DIR/lesson bench -bin DIR times them.

The go command alone would call every program from v2 on "lessons": it takes
the last part of such a path for a version.`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			p := &programs{call: c}
			out := fs.String("o", "", "the `folder` to build into; made if there is none")
			p.tagsFlag(fs)
			return func(rest []string) error {
				if *out == "" {
					return mistake{errors.New("say where to: -o DIR")}
				}
				chosen, err := c.lessons(rest)
				if err != nil {
					return err
				}
				return p.buildInto(c.machine.Abs(*out), chosen)
			}
		},
	}
}

func (p *programs) buildInto(dir string, chosen []lessons.Lesson) error {
	src, err := p.call.source()
	if err != nil {
		return err
	}
	defer p.close()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	type target struct{ name, pkg string }
	targets := []target{{"lesson", "./cmd/lesson"}}
	for _, l := range chosen {
		targets = append(targets, target{l.Name, "./" + l.Folder})
	}
	for _, t := range targets {
		file := filepath.Join(dir, t.name)
		if err := p.build(src, t.pkg, file); err != nil {
			return err
		}
		fmt.Fprintln(p.call.stdout, file)
	}
	return nil
}
