// Museum shows bugs of Hopper kernels that were met in public, each committed
// again in a small kernel that runs on the emulator under the sanitizer.
//
//	go run ./lessons/museum                  lists the exhibits
//	go run ./lessons/museum b4               runs one and shows what is found
//	go run ./lessons/museum b4 -repaired     runs its repaired twin
//
// It needs no GPU. A page for each exhibit tells its story.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"gohopper/pkg/hopper/event"
)

func main() { os.Exit(visit(os.Args[1:], os.Stdout, os.Stderr)) }

// visit is the program. Its status is 0 for a faulty kernel with its finding, and
// for a kernel with a right result and no findings; 1 for anything else, such as
// a kernel that has been half repaired; 2 for a mistake on the command line.
func visit(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("museum", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: go run ./lessons/museum [exhibit] [flags]; without an exhibit it lists them")
		fs.PrintDefaults()
	}
	repaired := fs.Bool("repaired", false, "run the repaired twin")
	text := fs.Bool("ptx", false, "print the PTX and stop")
	seed := fs.Int64("seed", 1, "seed of the data and of the emulator's schedule")
	id := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		id, args = args[0], args[1:]
	}
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	rest := fs.Args()
	if id == "" && len(rest) > 0 {
		id, rest = rest[0], rest[1:]
	}
	fail := func(status int, err error) int {
		fmt.Fprintf(stderr, "museum: %v\n", err)
		return status
	}
	switch {
	case len(rest) > 0:
		return fail(2, fmt.Errorf("%q is too much: name one exhibit, then flags", rest[0]))
	case *seed < 0:
		return fail(2, fmt.Errorf("-seed %d: a seed is 0 or more", *seed))
	case id == "" && fs.NFlag() > 0:
		return fail(2, errors.New("the flags are for one exhibit: name it first, as in museum b4 -repaired"))
	case id == "":
		list(stdout)
		return 0
	}
	e, err := find(id)
	if err != nil {
		return fail(2, err)
	}
	if *text {
		p, err := e.program(*repaired)
		if err != nil {
			return fail(1, err)
		}
		fmt.Fprint(stdout, p.text)
		return 0
	}
	if err := e.show(*repaired, *seed, stdout); err != nil {
		return fail(1, err)
	}
	return 0
}

func list(w io.Writer) {
	for _, e := range exhibits() {
		fmt.Fprintf(w, "%s  %-56s %s\n", e.ID, e.Title, e.Rule)
	}
	fmt.Fprintln(w, "\nRun one with go run ./lessons/museum b4, and its repaired twin with -repaired after the name.")
}

// show runs an exhibit and says what came of it. The error is a run that is
// neither the mistake nor its repair.
func (e Exhibit) show(repaired bool, seed int64, w io.Writer) error {
	o, err := e.run(repaired, seed)
	if err != nil {
		return err
	}
	form := "faulty"
	if repaired {
		form = "repaired"
	}
	fmt.Fprintf(w, "%s: %s\n", e.ID, e.Title)
	fmt.Fprintf(w, "  page     lessons/museum/%s.md\n", e.ID)
	for _, address := range e.Seen {
		fmt.Fprintf(w, "  seen in  %s\n", address)
	}
	fmt.Fprintf(w, "  run      %s, seed %d, on the emulator\n", form, seed)
	fmt.Fprintf(w, "  result   %v\n\n", o.verdict())
	named := slices.IndexFunc(o.findings, func(f event.Finding) bool { return f.Rule == e.Rule })
	right := len(o.findings) == 0 && o.verdict().OK()
	switch {
	case right && repaired:
		fmt.Fprintln(w, "No findings.")
		return nil
	case right:
		fmt.Fprintln(w, "No findings: the faulty form has been repaired. Try other seeds.")
		return nil
	case repaired:
		printFindings(w, o.findings, 0)
		return errors.New("the repaired twin should have a right result and no findings: has the kernel been changed?")
	case named < 0:
		printFindings(w, o.findings, 0)
		return fmt.Errorf("there is no finding of %s any more, but the kernel is not right either", e.Rule)
	}
	printFindings(w, o.findings, named)
	fmt.Fprintf(w, "Task: %s\n", e.Task)
	return nil
}

// printFindings writes one finding in full and a line for what else is wrong,
// once for each rule and place.
func printFindings(w io.Writer, found []event.Finding, first int) {
	if len(found) == 0 {
		return
	}
	type spot struct{ rule, source string }
	fmt.Fprintln(w, found[first])
	seen := map[spot]bool{{found[first].Rule, found[first].At.Source}: true}
	for _, f := range found {
		at := spot{f.Rule, f.At.Source}
		if !seen[at] {
			seen[at] = true
			fmt.Fprintf(w, "also %s: %s [%s]\n  at %s\n", f.Severity, f.Message, f.Rule, f.At.Source)
		}
	}
	if len(seen) > 1 {
		fmt.Fprintln(w)
	}
}
