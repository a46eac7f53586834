package sanitize_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/sanitize"
)

var update = flag.Bool("update", false, "rewrite testdata/coverage.md")

// TestCoverage: for every rule some kernel breaks it, which proves that it finds
// something. The golden says which, here and in the packages that use the
// sanitizer; look in it for a test that a rule has lost.
func TestCoverage(t *testing.T) {
	names := constants(t)
	nvcc := broken(t, "../emu/nvcctest/planted_test.go", names, func(l *ast.CompositeLit) string { return text(l.Elts[1]) })
	museum := broken(t, "../../../lessons/museum/exhibit.go", names, func(l *ast.CompositeLit) string { return text(keyed(l, "ID")) })

	var b strings.Builder
	b.WriteString("Which test breaks which rule. Written by `go test ./pkg/hopper/sanitize -run Coverage -update`.\n\n")
	b.WriteString("| rule | kernels, TestMutants | PTX, TestTexts and TestBetween | CUDA C++, nvcctest | museum |\n|---|---|---|---|---|\n")
	for _, r := range sanitize.Rules {
		var kernels, texts []string
		for _, m := range mutants() {
			if slices.Contains(m.rules, r.Name) {
				kernels = append(kernels, m.name)
			}
		}
		for _, p := range textPairs() {
			if p.rule == r.Name {
				texts = append(texts, p.why)
			}
		}
		for _, e := range encounters() {
			if r.Name == sanitize.Race && e.at != "" {
				texts = append(texts, e.why)
			}
		}
		assert.NotEmpty(t, kernels, "no mutant breaks %s", r.Name)
		assert.NotEmpty(t, r.Doc, r.Name)
		fmt.Fprintf(&b, "| %s |", r.Name)
		for _, list := range [][]string{kernels, texts, nvcc[r.Name], museum[r.Name]} {
			fmt.Fprintf(&b, " %s |", strings.Join(list, "<br>"))
		}
		b.WriteString("\n")
	}

	golden := filepath.Join("testdata", "coverage.md")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Empty(t, udiff.Unified(golden, "now", string(want), b.String()), "run with -update if the change is meant")
}

// constants is the rules by the names that Go has for them.
func constants(t *testing.T) map[string]string {
	values := map[string]string{}
	ast.Inspect(parsed(t, "rules.go"), func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok && len(s.Values) == 1 {
			if v := text(s.Values[0]); v != "" {
				values[s.Names[0].Name] = v
			}
		}
		return true
	})
	require.Len(t, values, len(sanitize.Rules))
	return values
}

// broken is, by rule, the composite literals of a file that have the rule as an
// element.
func broken(t *testing.T, file string, names map[string]string, name func(*ast.CompositeLit) string) map[string][]string {
	found := map[string][]string{}
	ast.Inspect(parsed(t, file), func(n ast.Node) bool {
		l, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, e := range l.Elts {
			if p, ok := e.(*ast.KeyValueExpr); ok {
				e = p.Value
			}
			if s, ok := e.(*ast.SelectorExpr); ok && fmt.Sprint(s.X) == "sanitize" {
				rule := names[s.Sel.Name]
				require.NotEmpty(t, rule, "%s: sanitize.%s", file, s.Sel.Name)
				require.NotEmpty(t, name(l), "%s: what breaks %s has no name", file, rule)
				found[rule] = append(found[rule], name(l))
			}
		}
		return true
	})
	require.NotEmpty(t, found, "%s breaks no rule", file)
	return found
}

func parsed(t *testing.T, file string) *ast.File {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	return f
}

// keyed is the element of a key, nil if there is none.
func keyed(l *ast.CompositeLit, key string) ast.Expr {
	for _, e := range l.Elts {
		if p, ok := e.(*ast.KeyValueExpr); ok && fmt.Sprint(p.Key) == key {
			return p.Value
		}
	}
	return nil
}

// text is the value of a string literal, "" of anything else.
func text(e ast.Expr) string {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(l.Value)
	return s
}
