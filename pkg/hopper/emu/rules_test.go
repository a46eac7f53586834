package emu

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRules: every rule that the machine's code names is explained, once, and
// no other is.
func TestRules(t *testing.T) {
	var explained []string
	for _, r := range Rules() {
		assert.NotContains(t, explained, r.Name)
		assert.NotEmpty(t, r.Severity, r.Name)
		assert.True(t, strings.HasSuffix(r.Doc, "."), "%s: whole sentences", r.Name)
		explained = append(explained, r.Name)
	}
	reported := reportedRules(t)
	for name, places := range reported {
		assert.Contains(t, explained, name, "%v report a rule that rules.go does not explain", places)
	}
	for _, name := range explained {
		assert.Contains(t, reported, name, "no code reports %s", name)
	}
}

// reportedRules reads the package's code: the values of the key Rule in
// literals, and where they are.
func reportedRules(t *testing.T) map[string][]string {
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	found := map[string][]string{}
	for _, s := range sources {
		if strings.HasSuffix(s, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, s, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			key, isName := kv.Key.(*ast.Ident)
			value, isText := kv.Value.(*ast.BasicLit)
			if isName && key.Name == "Rule" {
				require.True(t, isText, "%v: a rule that is no literal cannot be looked up", fset.Position(kv.Pos()))
				name, err := strconv.Unquote(value.Value)
				require.NoError(t, err)
				if at := fset.Position(kv.Pos()).String(); !slices.Contains(found[name], at) {
					found[name] = append(found[name], at)
				}
			}
			return true
		})
	}
	require.NotEmpty(t, found)
	return found
}
