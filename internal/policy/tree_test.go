// Package policy holds the tree to its own rules: who may import whom, what a
// package and a lesson consist of, what no file may contain. It has tests only.
//
// It reads files and must not know what the code does.
package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	root   = "../.."
	module = "gohopper"
)

// file is one parsed Go file.
type file struct {
	path   string // from the root, with slashes
	text   string
	fset   *token.FileSet
	syntax *ast.File
}

// folder is the file's package, as the folder it lies in.
func (f file) folder() string { return path.Dir(f.path) }

func (f file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// line is the line of a node.
func (f file) line(n ast.Node) int { return f.fset.Position(n.Pos()).Line }

// parse reads Go source, comments included.
func parse(path, text string) (file, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	return file{path: path, text: text, fset: fset, syntax: syntax}, err
}

// tree is every Go file, whatever its build constraints. Like the go command
// it leaves out testdata and folders that begin with a dot or an underscore.
func tree(t *testing.T) []file {
	var files []file
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); p != root && (name == "testdata" || name[0] == '.' || name[0] == '_') {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(p) != ".go" {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		f, err := parse(filepath.ToSlash(below), string(text))
		files = append(files, f)
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}
