package main

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"time"

	"gohopper/cmd/lesson/internal/bench"
	"gohopper/internal/report"
	"gohopper/lessons"
)

func benchCommand() command {
	return command{
		name: "bench", args: "[NAME...] [-shapes LIST] [-types LIST] [flags]",
		short: "time lessons on a GPU, beside the library",
		long: `Times the named lessons, or all, on every shape and type, each in several fresh
processes: first one of everything, then the second. A lesson verifies its
result before and after it is timed, between two timings of the library.

The table shows medians over the processes, and ranges. With -json everything
that was measured is kept in FILE, which is written anew after each process, so
an interrupted run keeps what it has; a FILE that holds an older report is
replaced.

A machine with a GPU but without Go: on another one, lesson build -tags cuda
-o DIR; carry DIR over; then DIR/lesson bench -bin DIR v0 v1. With -bin and no
names, the lessons in DIR are timed.`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			p := &programs{call: c, tags: "cuda"}
			p.binFlag(fs)
			shapes := fs.String("shapes", "8192", "M x N x K, a `list` such as 4096,8192x28672x8192; one number is a cube")
			types := fs.String("types", "f16", "element types, a `list`: f16,bf16")
			processes := fs.Int("processes", 3, "fresh processes for each lesson, shape and type")
			seed := fs.Int("seed", 1, "seed of the data")
			pause := fs.Duration("pause", 3*time.Second, "rest before each timed window; published numbers use the default")
			file := fs.String("json", "", "write the report to this `file`")
			return func(rest []string) error {
				plan := bench.Plan{Processes: *processes, Seed: *seed, Pause: *pause}
				var err error
				if plan.Shapes, err = bench.ParseShapes(*shapes); err != nil {
					return mistake{fmt.Errorf("-shapes: %w", err)}
				}
				if plan.Types, err = bench.ParseTypes(*types); err != nil {
					return mistake{fmt.Errorf("-types: %w", err)}
				}
				if plan.Processes < 1 {
					return mistake{fmt.Errorf("-processes %d: at least 1", plan.Processes)}
				}
				return p.bench(plan, rest, *file)
			}
		},
	}
}

func (p *programs) bench(plan bench.Plan, names []string, file string) error {
	chosen, err := p.benchLessons(names)
	if err != nil {
		return err
	}
	if p.bin == "" && !p.call.gpu.GPU() {
		return fmt.Errorf("times come from a GPU: %w", p.call.gpu.Err())
	}
	if dir := filepath.Dir(p.call.machine.Abs(file)); file != "" && !p.call.machine.Exists(dir) {
		return fmt.Errorf("there is no folder %s to write the report in", dir)
	}
	defer p.close()
	for i, l := range chosen {
		if p.bin == "" {
			fmt.Fprintf(p.call.stderr, "building %s, %d of %d\n", l.Name, i+1, len(chosen))
		}
		program, err := p.get(l)
		if err != nil {
			return err
		}
		plan.Programs = append(plan.Programs, bench.Program{Lesson: l.Name, Path: program})
	}
	keep := func(results []report.Result) error {
		if file == "" {
			return nil
		}
		return report.Write(file, results)
	}
	out, err := bench.Run(p.call.ctx, plan, p.call.stderr, keep)
	if len(out.Results) > 0 {
		if err := report.Table(p.call.stdout, out.Results); err != nil {
			return err
		}
		if file != "" {
			fmt.Fprintf(p.call.stderr, "what was measured is in %s\n", file)
		}
	}
	return errors.Join(err, out.Err())
}

// benchLessons are the lessons to time. In a folder of prebuilt programs any
// name may stand, and without names all that are there are taken.
func (p *programs) benchLessons(names []string) ([]lessons.Lesson, error) {
	if p.bin == "" {
		return p.call.lessons(names)
	}
	var chosen []lessons.Lesson
	for _, name := range names {
		chosen = append(chosen, lessons.Lesson{Name: filepath.Base(name)})
	}
	if len(names) > 0 {
		return chosen, nil
	}
	for _, l := range lessons.All() {
		if _, err := p.prebuilt(l.Name); err == nil {
			chosen = append(chosen, l)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("there is no lesson in %s: lesson build -o %s makes them, on a machine with Go", p.bin, p.bin)
	}
	return chosen, nil
}
