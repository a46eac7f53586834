package main

import (
	"errors"
	"flag"
)

func runCommand() command {
	return command{
		name: "run", args: "[-tags cuda] NAME [the lesson's own flags]",
		short: "run a lesson: verify it, and time it on a GPU",
		long: `Builds a lesson and runs it. Flags after NAME are the lesson's; see them with
lesson run NAME -h.`,
		through: true,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			p := &programs{call: c}
			p.binFlag(fs)
			p.tagsFlag(fs)
			return func(rest []string) error { return p.run(rest, nil) }
		},
	}
}

func ptxCommand() command {
	return command{
		name: "ptx", args: "NAME [the lesson's own flags]",
		short: "print a lesson's PTX",
		long: `Prints the PTX that a lesson's kernel is recorded as, the same bytes that a
device is given. Flags after NAME are the lesson's: lesson ptx v6 -tile-n 256.`,
		through: true,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			p := &programs{call: c, tags: "none"} // PTX is text: no GPU has a part in it
			p.binFlag(fs)
			return func(rest []string) error { return p.run(rest, []string{"-ptx"}) }
		},
	}
}

// run runs the lesson that rest begins with, its flags after the given ones.
func (p *programs) run(rest, flags []string) error {
	if len(rest) == 0 {
		return mistake{errors.New("give the name of a lesson; lesson list shows them")}
	}
	l, err := p.call.lesson(rest[0])
	if err != nil {
		return err
	}
	defer p.close()
	program, err := p.get(l)
	if err != nil {
		return err
	}
	return p.call.through(p.call.start(program, append(flags, rest[1:]...), p.call.stdout, p.call.stderr))
}
