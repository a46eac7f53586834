package main

import (
	"flag"
	"strings"
)

func testCommand() command {
	return command{
		name: "test", args: "[-tags cuda] [NAME...] [flags of go test]",
		short: "test lessons, all of them if none is named",
		long: `Runs the tests of the named lessons with go test. Flags after the names go to
go test: lesson test v3 -run Ragged -v.`,
		through: true,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			p := &programs{call: c}
			p.tagsFlag(fs)
			return p.test
		},
	}
}

func (p *programs) test(rest []string) error {
	split := len(rest)
	for i, arg := range rest {
		if strings.HasPrefix(arg, "-") {
			split = i
			break
		}
	}
	chosen, err := p.call.lessons(rest[:split])
	if err != nil {
		return err
	}
	src, err := p.call.source()
	if err != nil {
		return err
	}
	defer p.close()
	var args []string
	for _, l := range chosen {
		args = append(args, "./"+l.Folder)
	}
	cmd, err := p.goCommand(src, "test", append(args, rest[split:]...)...)
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = p.call.stdout, p.call.stderr
	return p.call.through(cmd)
}
