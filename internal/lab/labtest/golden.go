// Package labtest is what the tests and benchmarks of lessons call, so that
// package testing stays out of the lessons' programs: goldens of the recorded
// PTX, results on the emulator and on a GPU, the command line, benchmarks.
//
// It must not know any lesson: what differs between them arrives as a
// lab.Lesson, a kernel or the program's own run function.
package labtest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/ptx"
)

var update = flag.Bool("update", false, "rewrite the lesson's goldens in testdata")

// Golden compares what a kernel records with two files: testdata/kernel.ptx,
// the PTX without the lines of Go it came from, and testdata/counts.txt, how
// often each instruction that a lesson is about occurs in it. The flag -update
// rewrites them. Why says in a sentence what a reader should find there; it is
// shown when the kernel no longer agrees, and must not be empty.
func Golden(t *testing.T, k *hopper.Kernel, why string) {
	t.Helper()
	if strings.TrimSpace(why) == "" {
		t.Fatal("a golden needs a reason: say what a reader should find in it")
	}
	m, err := k.Module()
	require.NoError(t, err)
	for name, text := range map[string]string{"kernel.ptx": ptx.PrintBare(m), "counts.txt": counts(m)} {
		if err := golden(filepath.Join("testdata", name), text, *update); err != nil {
			t.Errorf("%v\nit should show: %s\nif the change is meant, rewrite it: go test -run %s -update", err, why, t.Name())
		}
	}
}

// golden compares a text with a file, or makes the file hold it.
func golden(path, text string, update bool) error {
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && string(want) == text {
		return nil
	}
	if update {
		return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
	}
	if err != nil {
		return fmt.Errorf("%s does not exist", path)
	}
	return fmt.Errorf("%s differs from what the kernel records, first in %s", path, difference(string(want), text))
}

// difference shows the first line in which two texts differ, after the two
// lines before it.
func difference(want, got string) string {
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	at := 0
	for at < len(wants) && at < len(gots) && wants[at] == gots[at] {
		at++
	}
	line := func(lines []string) string {
		if at < len(lines) {
			return lines[at]
		}
		return "(the text has ended)"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "line %d:\n", at+1)
	for _, l := range wants[max(0, at-2):at] {
		fmt.Fprintf(&b, "    %s\n", l)
	}
	fmt.Fprintf(&b, "  - %s\n  + %s", line(wants), line(gots))
	return b.String()
}

// counted is the first parts of the opcodes that a lesson is about: the tensor
// cores and what feeds them, the copy engine, barriers, fences, registers.
var counted = map[string]bool{
	"wgmma": true, "mma": true, "ldmatrix": true, "stmatrix": true,
	"cp": true, "mbarrier": true, "bar": true, "barrier": true, "fence": true, "setmaxnreg": true,
}

// counts lists the counted opcodes of a module's functions, a line each: how
// often it was written, and the opcode. A loop's body counts once.
func counts(m *ptx.Module) string {
	n := map[string]int{}
	for _, d := range m.Decls {
		if f, ok := d.(*ptx.Func); ok && f.Body != nil {
			count(f.Body, n)
		}
	}
	var b strings.Builder
	for _, opcode := range slices.Sorted(maps.Keys(n)) {
		fmt.Fprintf(&b, "%4d  %s\n", n[opcode], opcode)
	}
	return b.String()
}

func count(body *ptx.Block, n map[string]int) {
	for _, s := range body.Stmts {
		switch s := s.(type) {
		case *ptx.Instr:
			if counted[s.Op] {
				n[s.Name()]++
			}
		case *ptx.Block:
			count(s, n)
		}
	}
}
