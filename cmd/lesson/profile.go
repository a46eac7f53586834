package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"gohopper/cmd/lesson/internal/nsight"
)

func profileCommand() command {
	return command{
		name: "profile", args: "NAME [-json] [-- the lesson's own flags]",
		short: "where a kernel's time goes, through Nsight Compute",
		long: `Runs a lesson under Nsight Compute (ncu) on a GPU and shows the few numbers that
matter, of one launch after two that warm up. Only metrics that this release of
ncu lists are asked for. The clock is left alone. Times of a run under ncu are
not comparable with those of lesson bench.`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			p := &programs{call: c, tags: "cuda"}
			p.binFlag(fs)
			folder := fs.String("tools", "", "the `folder` of ncu")
			asJSON := fs.Bool("json", false, "print JSON")
			return func(rest []string) error {
				if len(rest) == 0 {
					return mistake{errors.New("give the name of a lesson; lesson list shows them")}
				}
				values, err := p.profile(rest[0], rest[1:], *folder)
				if err != nil {
					return err
				}
				if *asJSON {
					return c.printJSON(values)
				}
				return printProfile(c, values)
			}
		},
	}
}

func (p *programs) profile(name string, flags []string, folder string) ([]nsight.Value, error) {
	c := p.call
	l, err := c.lesson(name)
	if err != nil {
		return nil, err
	}
	ncu := c.machine.Tool("ncu", folder)
	if ncu == "" {
		return nil, errors.New("there is no ncu: install Nsight Compute (with the CUDA toolkit, or from https://developer.nvidia.com/nsight-compute), put it on PATH or give its folder with -tools DIR")
	}
	listing, err := c.machine.Run(c.ctx, ncu, nsight.Query()...)
	if err != nil {
		return nil, fmt.Errorf("ncu does not list its metrics: %w: %s", err, strings.TrimSpace(listing))
	}
	known, unknown := nsight.Available(nsight.Metrics(), listing)
	for _, m := range unknown {
		fmt.Fprintf(c.stderr, "note: this ncu has no %s\n", m.Name)
	}
	if len(known) == 0 {
		return nil, errors.New("this ncu lists none of the metrics that are asked for: it is too old or too new for this command")
	}
	defer p.close()
	kernel, err := p.kernel(l, flags...)
	if err != nil {
		return nil, err
	}
	program, err := p.get(l)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "lesson")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	log := filepath.Join(dir, "ncu.csv")
	args := append(nsight.Arguments(kernel.Name, known, log), program, "-device", "cuda")
	said, failed := c.machine.Run(c.ctx, ncu, append(args, flags...)...)
	text, err := os.ReadFile(log)
	if err != nil {
		text = []byte(said) // it ended before it wrote a log
	}
	values, err := nsight.Parse(string(text), known)
	if err != nil || failed != nil {
		return nil, errors.Join(err, failed)
	}
	return values, nil
}

func printProfile(c *call, values []nsight.Value) error {
	t := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "says\tvalue\tmetric")
	for _, v := range values {
		fmt.Fprintf(t, "%s\t%v\t%s\n", v.Says, v, v.Name)
	}
	return t.Flush()
}
