package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// command is a subcommand.
type command struct {
	name  string
	args  string // what follows the name in a usage line
	short string // one line for the overview
	long  string // what -h says between the usage line and the flags
	// flags declares the flags and returns what runs after they are read. Rest
	// is the arguments that are not flags.
	flags func(c *call, fs *flag.FlagSet) (run func(rest []string) error)
	// through says that everything after the first argument that is not a flag
	// belongs to another program, its flags too.
	through bool
}

// commands lists the subcommands in the order in which a reader needs them.
func commands() []command {
	return []command{
		listCommand(), runCommand(), testCommand(), benchCommand(), buildCommand(),
		ptxCommand(), traceCommand(), diffCommand(), inspectCommand(), sanitizeCommand(), profileCommand(), plotCommand(), siteCommand(), notebookCommand(),
		doctorCommand(), helpCommand(),
	}
}

// find looks a subcommand up by name.
func find(name string) (command, error) {
	var names []string
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd, nil
		}
		names = append(names, cmd.name)
	}
	return command{}, mistake{fmt.Errorf("there is no command %q%s; lesson help lists them", name, suggestion(name, names))}
}

// do reads the flags and runs the command.
func (cmd command) do(c *call, args []string) error {
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed once, by dispatch
	run := cmd.flags(c, fs)
	rest, err := cmd.parse(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		cmd.usage(c.stdout, fs)
		return nil
	case err != nil:
		return mistake{fmt.Errorf("%w; lesson %s -h lists the flags", err, cmd.name)}
	}
	return run(rest)
}

// parse reads flags wherever they stand among the arguments, or, in a command
// that passes things through, before the first that is none. What follows "--"
// is never a flag.
func (cmd command) parse(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		ended := len(args) > fs.NArg() && args[len(args)-fs.NArg()-1] == "--"
		if fs.NArg() == 0 || ended || cmd.through {
			return append(rest, fs.Args()...), nil
		}
		rest = append(rest, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// usage prints what -h shows.
func (cmd command) usage(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprintf(w, "usage: %s\n\n%s\n", strings.TrimSpace("lesson "+cmd.name+" "+cmd.args), strings.TrimSpace(cmd.long))
	flags := false
	fs.VisitAll(func(*flag.Flag) { flags = true })
	if flags {
		fmt.Fprint(w, "\nflags:\n")
		fs.SetOutput(w)
		fs.PrintDefaults()
	}
}
