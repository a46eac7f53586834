package site

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Where the museum of bugs is, and its entrance on the site.
const (
	museumFolder = "lessons/museum"
	museumList   = museumFolder + "/exhibit.go"
	museumOut    = "museum.html"
)

// exhibit is a bug of the museum. Its story is a page in Markdown.
type exhibit struct {
	ID      string // "b04"
	Fault   string // the name of what is wrong with its kernel
	Lesson  string // that explains what was forgotten, "v5"
	Rule    string // that names it, "released-early"
	kernel  string // the file of its kernel
	sources []string
}

// Short is the name as the pages write it, "B4".
func (e *exhibit) Short() string {
	return strings.ToUpper(e.ID[:1]) + strings.TrimPrefix(e.ID[1:], "0")
}

// LessonName is its lesson as the pages write it, "V5".
func (e *exhibit) LessonName() string { return strings.ToUpper(e.Lesson) }

// source is the exhibit's page, from the root.
func (e *exhibit) source() string { return museumFolder + "/" + e.ID + ".md" }

// readMuseum reads the list of the exhibits from the museum's code, and from
// each page its rule and the files that it shows.
func readMuseum(root string) ([]*exhibit, error) {
	tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(museumList)), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []*exhibit
	ast.Inspect(tree, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			if e := exhibitOf(lit); e.ID != "" {
				all = append(all, e)
			}
		}
		return true
	})
	if len(all) == 0 {
		return nil, errors.New(`there is no exhibit: a literal with an ID, as in {ID: "b01", …}`)
	}
	return all, nil
}

// exhibitOf reads a literal; what is none has no ID.
func exhibitOf(lit *ast.CompositeLit) *exhibit {
	e := &exhibit{}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := kv.Key.(*ast.Ident)
		switch {
		case key == nil:
		case key.Name == "ID":
			e.ID = stringOf(kv.Value)
		case key.Name == "Lesson":
			e.Lesson = stringOf(kv.Value)
		case key.Name == "Fault":
			if fault, ok := kv.Value.(*ast.Ident); ok {
				e.Fault = fault.Name
			}
		case key.Name == "Base": // ringBase(), of the kernel in ring.go
			if call, ok := kv.Value.(*ast.CallExpr); ok {
				if fn, ok := call.Fun.(*ast.Ident); ok {
					e.kernel = strings.TrimSuffix(fn.Name, "Base") + ".go"
				}
			}
		}
	}
	return e
}

var (
	ruleLink = regexp.MustCompile(`\]\(\.\./\.\./docs/rules\.md#([a-z-]+)\)`)
	shown    = regexp.MustCompile(`\]\(([a-z]+\.go)#`)
)

// join takes from an exhibit's page what it says of the exhibit.
func (e *exhibit) join(p *page) error {
	m := ruleLink.FindStringSubmatch(p.text)
	if m == nil {
		return fmt.Errorf("it does not name its rule: link to ../../docs/rules.md#RULE")
	}
	e.Rule = m[1]
	e.sources = []string{e.kernel}
	for _, m := range shown.FindAllStringSubmatch(p.text, -1) {
		if !slices.Contains(e.sources, m[1]) {
			e.sources = append(e.sources, m[1])
		}
	}
	return nil
}

// shows reports whether the exhibit's page shows a file as a whole.
func (e *exhibit) shows(file string) bool {
	name, ok := strings.CutPrefix(file, museumFolder+"/")
	return e != nil && ok && slices.Contains(e.sources, name)
}
