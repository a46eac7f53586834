package main

import (
	"flag"
	"os"
	"strings"

	"gohopper/lessons"
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
	var chosen []lessons.Lesson
	chosen, err := p.call.lessons(rest[:split])
	if err != nil {
		return err
	}
	root, err := p.call.root()
	if err != nil {
		return err
	}
	goCommand, err := p.goCommand()
	if err != nil {
		return err
	}
	defer p.close()
	tagged, env, err := p.environment(root)
	if err != nil {
		return err
	}
	args := []string{"test"}
	if tagged {
		args = append(args, "-tags", "cuda")
	}
	for _, l := range chosen {
		args = append(args, "./"+l.Folder)
	}
	cmd := p.call.start(goCommand, append(args, rest[split:]...), p.call.stdout, p.call.stderr)
	cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
	return p.call.through(cmd)
}
