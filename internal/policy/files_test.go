package policy

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// rule is something that holds for every Go file.
type rule struct {
	name  string
	check func(file) []string // what is wrong, a line each
}

var rules = []rule{
	{"imports", badImports},
	{"length", tooLong},
	{"no init", initFunctions},
	{"no environment", environment},
	{"nothing left to do", unfinished},
}

const (
	mostLines       = 400
	mostKernelLines = 160 // a kernel must be under
)

// tables is the files that may be longer, because they are one table, and what
// it is a table of.
var tables = map[string]string{}

func lines(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }

func tooLong(f file) []string {
	n := lines(f.text)
	if n > mostLines && tables[f.path] == "" && !ast.IsGenerated(f.syntax) {
		return []string{fmt.Sprintf("%s has %d lines: at most %d, so give its second idea a file of its own", f.path, n, mostLines)}
	}
	if strings.HasPrefix(f.path, "lessons/") && strings.HasSuffix(f.path, "/kernel.go") && n >= mostKernelLines {
		return []string{fmt.Sprintf("%s has %d lines: a kernel stays under %d", f.path, n, mostKernelLines)}
	}
	return nil
}

func initFunctions(f file) []string {
	var bad []string
	for _, d := range f.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			bad = append(bad, fmt.Sprintf("%s:%d: an init function: let the caller ask for it", f.path, f.line(fn)))
		}
	}
	return bad
}

// environment finds uses of the environment in packages below cmd.
func environment(f file) []string {
	if f.isTest() || strings.HasPrefix(f.path, "cmd/") {
		return nil
	}
	var bad []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, ok := s.X.(*ast.Ident)
		if ok && pkg.Name == "os" && slices.Contains([]string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, s.Sel.Name) {
			bad = append(bad, fmt.Sprintf("%s:%d: os.%s: only commands read the environment", f.path, f.line(s), s.Sel.Name))
		}
		return true
	})
	return bad
}

var leftover = regexp.MustCompile(`\b(TODO|FIXME)\b`)

func unfinished(f file) []string {
	var bad []string
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if leftover.MatchString(c.Text) {
				bad = append(bad, fmt.Sprintf("%s:%d: %s", f.path, f.line(c), c.Text))
			}
		}
	}
	return bad
}

func TestFiles(t *testing.T) {
	files := tree(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, f := range files {
				for _, problem := range r.check(f) {
					t.Error(problem)
				}
			}
		})
	}
}

// TestPackageComments: a package says what it does, in a test file if it has
// no other.
func TestPackageComments(t *testing.T) {
	files := tree(t)
	hasCode := map[string]bool{}
	for _, f := range files {
		hasCode[f.folder()] = hasCode[f.folder()] || !f.isTest()
	}
	documented := map[string]bool{}
	for _, f := range files {
		counts := !f.isTest() || !hasCode[f.folder()]
		documented[f.folder()] = documented[f.folder()] || counts && f.syntax.Doc != nil
	}
	for folder, ok := range documented {
		assert.True(t, ok, "package %s has no comment: say what it does and what it must not know", folder)
	}
}
