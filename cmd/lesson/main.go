// Lesson is the front door of the course: it lists the lessons, runs, tests,
// times, compares and inspects them, and says what a machine can do.
//
// It knows the lessons by name and runs them as processes. It must not know
// what a lesson computes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"gohopper/cmd/lesson/internal/machine"
	"gohopper/pkg/hopper/cuda"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program. It returns the exit status: 0 for success, 1 for a
// failure, 2 for a mistake on the command line.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	here, err := machine.Here()
	if err != nil {
		fmt.Fprintf(stderr, "lesson: %v\n", err)
		return 1
	}
	return dispatch(&call{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, machine: here, gpu: cuda.Probe()}, args)
}

// call is one use of the command: what it may read, write and look at.
type call struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
	machine        machine.Machine
	gpu            cuda.Status
}

// mistake is an error on the command line: exit status 2.
type mistake struct{ error }

// exited is the status of a program that has told its own story.
type exited int

func (e exited) Error() string { return fmt.Sprintf("it ended with status %d", int(e)) }

// dispatch finds the subcommand and turns its error into a line and a status.
func dispatch(c *call, args []string) int {
	name := "lesson"
	err := func() error {
		if len(args) == 0 {
			overview(c.stderr)
			return mistake{errors.New("give a command")}
		}
		if args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
			overview(c.stdout)
			return nil
		}
		cmd, err := find(args[0])
		if err != nil {
			return err
		}
		name += " " + cmd.name
		return cmd.do(c, args[1:])
	}()
	var status exited
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	fmt.Fprintf(c.stderr, "%s: %v\n", name, err)
	if errors.As(err, new(mistake)) {
		return 2
	}
	return 1
}
