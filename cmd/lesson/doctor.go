package main

import (
	"flag"

	"gohopper/cmd/lesson/internal/doctor"
	"gohopper/pkg/hopper/cuda"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
)

func doctorCommand() command {
	return command{
		name: "doctor", args: "[-tools DIR] [-json]",
		short: "what this machine has, lacks and can do",
		long: `Looks for everything that the course can use, and says what was found where, or
what to do. A line begins with "ok", with "-" for what is not there, or with
"bad" for what is broken. The status is 0 if the emulator works, which is all
that the lessons need.`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			folder := fs.String("tools", "", "a `folder` of CUDA's programs to look in first")
			asJSON := fs.Bool("json", false, "print JSON")
			return func(rest []string) error {
				if err := noMore(rest); err != nil {
					return err
				}
				return c.doctor(*folder, *asJSON)
			}
		},
	}
}

func (c *call) doctor(folder string, asJSON bool) error {
	root, _ := c.root() // being outside of it is one of the findings
	r := doctor.Examine(c.ctx, doctor.Patient{
		Machine: c.machine, Root: root, Tools: folder, GPU: c.gpu,
		Open:    func() (device.Device, error) { return cuda.Open(0) },
		Emulate: func() error { return doctor.Try(emu.New(emu.Config{Seed: 1})) },
	})
	var err error
	if asJSON {
		err = c.printJSON(r)
	} else {
		err = r.Print(c.stdout)
	}
	if err == nil && !r.OK() {
		return exited(1)
	}
	return err
}
