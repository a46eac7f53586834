package main

import (
	"flag"
	"fmt"
	"path"

	"gohopper/plots"
)

func plotCommand() command {
	return command{
		name: "plot", args: "[-o DIR]",
		short: "draw the figures from the recorded reports",
		long: `Draws the figures of the course from the records in plots/data: NAME.svg, for
light and dark, and its numbers in NAME.csv. The same records give the same
files, so git diff shows what new records have changed.`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			out := fs.String("o", "", "the `folder` to draw into, made if there is none; plots/figures if not given")
			return func(rest []string) error {
				if err := noMore(rest); err != nil {
					return err
				}
				return c.plot(*out)
			}
		},
	}
}

func (c *call) plot(out string) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	if out == "" {
		out = path.Join(root, "plots/figures")
	}
	drawn, err := plots.Draw(path.Join(root, "plots/data"), c.machine.Abs(out))
	if err != nil {
		return err
	}
	for _, file := range drawn {
		fmt.Fprintln(c.stdout, file)
	}
	return nil
}
