package main

import (
	"errors"
	"flag"
	"slices"
)

func traceCommand() command {
	return command{
		name: "trace", args: "NAME -o FILE [the lesson's own flags]",
		short: "write a timeline of a lesson's kernel on the emulator",
		long: `Runs a lesson on the emulator and writes a timeline of its first cluster: who
waits for what, which copies and products are in flight, which phase each
mbarrier is in. Open the file at ui.perfetto.dev. It shows order and overlap,
not times. Further flags after NAME are the lesson's: lesson trace v5 -o v5.json
-k 1024.`,
		through: true,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			p := &programs{call: c, tags: "none"} // a GPU does not tell what happens inside
			p.binFlag(fs)
			file := fs.String("o", "", "write the timeline to this `file`; may also stand right after NAME")
			return func(rest []string) error {
				if len(rest) > 2 && rest[1] == "-o" {
					*file = rest[2]
					rest = slices.Delete(rest, 1, 3)
				}
				if *file == "" && len(rest) > 0 {
					return mistake{errors.New("say where to write the timeline: -o FILE, right after the lesson's name")}
				}
				return p.run(rest, []string{"-device", "emu", "-trace", *file})
			}
		},
	}
}
