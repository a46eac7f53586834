package site

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"gohopper/lessons"
)

// programView is a lesson's program in the page: the fields that set its
// flags, and what it printed when it was recorded.
type programView struct {
	Name     string
	Shape    []field
	Tile     []field
	Recorded string
}

// field is an integer flag. Its default is what the program takes when the
// field is left empty.
type field struct {
	Flag, Usage string
	Default     string
	Start       int // what the page begins with
}

// inPage is the most of each size that a page begins with: a browser has one
// core for it, and the first result should take less than two seconds.
var inPage = map[string]int{"m": 264, "n": 456, "k": 328}

// program reads a lesson's flags from its source, and its recorded output.
func (b *builder) program(l lessons.Lesson) (*programView, error) {
	recorded, err := b.file(recording(l.Name))
	if err != nil {
		return nil, problem{recording(l.Name), 0, fmt.Errorf("%w: go test ./site -run Recorded -update makes it", err)}
	}
	v := &programView{Name: l.Name, Recorded: string(recorded)}
	fset := token.NewFileSet()
	tree := map[string]*ast.File{}
	for _, name := range []string{"main.go", "kernel.go"} {
		file := path.Join(l.Folder, name)
		tree[name], err = parser.ParseFile(fset, filepath.Join(b.root, filepath.FromSlash(file)), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, problem{file, 0, err}
		}
	}
	sizes := literal(tree["main.go"], "Shape")
	for _, name := range []string{"m", "n", "k"} {
		size := sizes[strings.ToUpper(name)]
		start, err := strconv.Atoi(size)
		if err != nil {
			return nil, problem{l.Folder + "/main.go", 0, fmt.Errorf("there is no matrix.Shape with a number for %s to take the page's shape from", strings.ToUpper(name))}
		}
		v.Shape = append(v.Shape, field{Flag: name, Default: size, Start: min(start, inPage[name])})
	}
	tile := literal(tree["kernel.go"], "Tile")
	ast.Inspect(tree["main.go"], func(n ast.Node) bool {
		if f, ok := flagOf(n); ok {
			f.Default = tile[f.Default]
			v.Tile = append(v.Tile, f)
		}
		return true
	})
	return v, nil
}

// recording is where a lesson's output is recorded.
func recording(lesson string) string { return "site/recorded/" + lesson + ".txt" }

// flagOf reads fs.IntVar(&t.M, "tile-m", t.M, "rows of C"). The default is
// still the name of the tile's field.
func flagOf(n ast.Node) (field, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 4 {
		return field{}, false
	}
	fn, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fn.Sel.Name != "IntVar" {
		return field{}, false
	}
	of, ok := call.Args[2].(*ast.SelectorExpr)
	if !ok {
		return field{}, false
	}
	return field{Flag: stringOf(call.Args[1]), Usage: stringOf(call.Args[3]), Default: of.Sel.Name}, true
}

// stringOf is the value of a string literal.
func stringOf(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok {
		s, _ := strconv.Unquote(l.Value) // a literal that parses can be unquoted
		return s
	}
	return ""
}

// literal is the numbers of the first composite literal of a type, by field.
func literal(file *ast.File, typ string) map[string]string {
	found := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || len(found) > 0 || !named(lit.Type, typ) {
			return true
		}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				key, isName := kv.Key.(*ast.Ident)
				if value, isNumber := kv.Value.(*ast.BasicLit); isName && isNumber {
					found[key.Name] = value.Value
				}
			}
		}
		return true
	})
	return found
}

// named reports whether a type is this one, of this package or another.
func named(e ast.Expr, name string) bool {
	switch t := e.(type) {
	case *ast.Ident:
		return t.Name == name
	case *ast.SelectorExpr:
		return t.Sel.Name == name
	}
	return false
}
