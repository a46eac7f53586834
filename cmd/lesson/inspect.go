package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"path"

	"gohopper/cmd/lesson/internal/inspect"
	"gohopper/lessons"
)

func inspectCommand() command {
	return command{
		name: "inspect", args: "NAME | FILE.ptx | FILE.cubin | - [-tools DIR] [-json]",
		short: "count what matters in a kernel's PTX and machine code",
		long: `Counts the instructions that matter on Hopper in the PTX of a lesson, of a file,
or of the standard input (-), and says what is good or bad, and why. Where
ptxas and cuobjdump or nvdisasm are found, on PATH, in a CUDA toolkit or in
-tools DIR, the machine code is counted, too, and the assembler's warnings are
shown. The status is 1 if anything is bad.

Another tile: lesson ptx v6 -tile-n 256 | lesson inspect -`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			p := &programs{call: c, tags: "none"}
			p.binFlag(fs)
			folder := fs.String("tools", "", "the `folder` of ptxas and cuobjdump or nvdisasm")
			asJSON := fs.Bool("json", false, "print JSON")
			return func(rest []string) error {
				if len(rest) != 1 {
					return mistake{errors.New("give one lesson or one file")}
				}
				r, err := p.inspect(rest[0], *folder)
				if err != nil {
					return err
				}
				if *asJSON {
					err = c.printJSON(r)
				} else {
					err = r.Print(c.stdout)
				}
				if err == nil && !r.OK() {
					return exited(1)
				}
				return err
			}
		},
	}
}

func (p *programs) inspect(what, folder string) (*inspect.Report, error) {
	c := p.call
	tools := inspect.Tools{
		PTXAS:     c.machine.Tool("ptxas", folder),
		CUObjDump: c.machine.Tool("cuobjdump", folder),
		NVDisasm:  c.machine.Tool("nvdisasm", folder),
		Run:       c.machine.Run,
	}
	if l, err := c.lesson(what); err == nil {
		defer p.close()
		text, err := p.ptx(l)
		if err != nil {
			return nil, err
		}
		return inspect.PTX(c.ctx, l.Name, text, tools, l.Route == lessons.Wgmma)
	} else if what != "-" && path.Ext(what) == "" && !c.machine.Exists(c.machine.Abs(what)) {
		return nil, err
	}
	text, err := c.readFile(what)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(text, []byte("\x7fELF")) {
		if what == "-" {
			return nil, errors.New("machine code is read from a file, not from the standard input")
		}
		return inspect.Cubin(c.ctx, what, tools, false)
	}
	if what == "-" {
		what = "standard input"
	}
	return inspect.PTX(c.ctx, what, string(text), tools, false)
}

// readFile reads a file, or the standard input for "-".
func (c *call) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(c.stdin)
	}
	return c.machine.Read(c.machine.Abs(name))
}
