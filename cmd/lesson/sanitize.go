package main

import (
	"errors"
	"flag"
	"fmt"
	"time"

	"gohopper/internal/launch"
)

func sanitizeCommand() command {
	return command{
		name: "sanitize", args: "FILE.ptx | - -launch FILE.json [-seeds N] [-json]",
		short: "run PTX from anywhere on the emulator and say what is wrong with it",
		long: `Runs a kernel that nvcc or anything else wrote on the emulator, under the
sanitizer, and prints its findings: what is wrong, on which line, and what would
have ordered it. The PTX is FILE.ptx, or the standard input (-). With nvcc
-lineinfo the lines of the .cu file are named too.

The status is 0 if nothing was found, 1 if something was, and 2 if the kernel
could not be judged: a mistake in the PTX, in the launch or on the command line,
or a limit of time, memory or instructions. docs/your-own-ptx.md has a
walk-through.

` + launch.Format,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			file := fs.String("launch", "", "the `file` that describes the launch")
			example := fs.Bool("example", false, "print an example of such a file, and do nothing else")
			seeds := fs.Int("seeds", 0, "run `N` seeds, from the description's first on, instead of those it lists")
			var l launch.Limits
			fs.DurationVar(&l.Time, "timeout", 30*time.Second, "limit of `time`, for all seeds together")
			fs.Int64Var(&l.Memory, "memory", 2<<30, "limit of memory, in `bytes`")
			fs.Int64Var(&l.Instructions, "instructions", 1_000_000_000, "limit of a cluster's instructions")
			show := fs.Int("show", 20, "limit of findings shown")
			asJSON := fs.Bool("json", false, "print JSON")
			return func(rest []string) error {
				switch {
				case *example:
					_, err := fmt.Fprint(c.stdout, launch.Example)
					return err
				case len(rest) != 1:
					return mistake{errors.New("give one PTX file")}
				case *file == "":
					return mistake{errors.New("describe the launch: -launch FILE.json; lesson sanitize -example prints one")}
				case *seeds < 0 || *seeds > 10000 || l.Time <= 0 || l.Memory <= 0 || l.Instructions <= 0 || *show <= 0:
					return mistake{errors.New("-seeds, at most 10000, and the limits are above 0")}
				}
				return c.sanitize(rest[0], *file, *seeds, l, *show, *asJSON)
			}
		},
	}
}

// sanitize runs the PTX of a file as another file says.
func (c *call) sanitize(ptx, file string, seeds int, l launch.Limits, show int, asJSON bool) error {
	text, err := c.readFile(ptx)
	if err != nil {
		return mistake{err}
	}
	if ptx == "-" {
		ptx = "standard input"
	}
	described, err := c.machine.Read(c.machine.Abs(file))
	if err != nil {
		return mistake{err}
	}
	d, err := launch.Parse(described)
	if err != nil {
		return mistake{fmt.Errorf("%s: %w", file, err)}
	}
	if seeds > 0 {
		d.Consecutive(seeds)
	}
	r, stopped := launch.Run(c.ctx, ptx, string(text), d, l)
	if limit := new(launch.Exceeded); errors.As(stopped, &limit) {
		flags := map[string]string{"time": "timeout", "memory": "memory", "instructions": "instructions"}
		stopped = fmt.Errorf("%w; -%s raises it", stopped, flags[limit.Limit])
	}
	if stopped != nil && len(r.Seeds) == 0 {
		return mistake{stopped}
	}
	found := len(r.Findings)
	r.Cut(show)
	if asJSON {
		err = c.printJSON(r)
	} else {
		err = r.Print(c.stdout, "-show raises it")
	}
	switch {
	case err != nil:
		return err
	case stopped != nil:
		return mistake{stopped}
	case found > 0:
		return exited(1)
	}
	return nil
}
