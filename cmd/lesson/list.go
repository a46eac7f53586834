package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"text/tabwriter"
	"unicode"

	"gohopper/lessons"
)

func listCommand() command {
	return command{
		name: "list", short: "the lessons, in order, with their ideas and tiles",
		args: "[-json]",
		long: `Lists the lessons: the idea, the tile that the kernel is recorded with when no
flag says otherwise, and the words that appear for the first time. The tile is
read from the lesson's kernel.go, so outside the repository it is left out.`,
		flags: func(c *call, fs *flag.FlagSet) func([]string) error {
			asJSON := fs.Bool("json", false, "print JSON")
			return func(rest []string) error {
				if err := noMore(rest); err != nil {
					return err
				}
				return c.list(*asJSON)
			}
		},
	}
}

// listed is a row of the list.
type listed struct {
	lessons.Lesson
	Tile string `json:"tile,omitempty"`
}

func (c *call) list(asJSON bool) error {
	root, _ := c.root() // without a repository there are no tiles to read
	var rows []listed
	for _, l := range lessons.All() {
		row := listed{Lesson: l}
		if root != "" {
			row.Tile = c.defaultTile(path.Join(root, l.Folder, "kernel.go"))
		}
		rows = append(rows, row)
	}
	if asJSON {
		return c.printJSON(rows)
	}
	t := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "lesson\tidea\ttile\tnew")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Name, r.Idea, orDash(r.Tile), r.New)
	}
	return t.Flush()
}

// defaultTile reads "var DefaultTile = Tile{M: 128, N: 256, K: 64, Stages: 4}"
// in a kernel.go as "128x256x64, stages 4". A kernel without one has its tile
// chosen by the shape of the product.
func (c *call) defaultTile(file string) string {
	text, err := c.machine.Read(file)
	if err != nil {
		return ""
	}
	tree, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	var tile *ast.CompositeLit
	ast.Inspect(tree, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 && v.Names[0].Name == "DefaultTile" {
			tile, _ = v.Values[0].(*ast.CompositeLit)
		}
		return true
	})
	if tile == nil {
		return "by shape"
	}
	var sizes, others []string
	for _, e := range tile.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		name, named := field.Key.(*ast.Ident)
		value, literal := field.Value.(*ast.BasicLit)
		switch {
		case !named || !literal:
		case len(name.Name) == 1: // M, N, K
			sizes = append(sizes, value.Value)
		default:
			others = append(others, flagName(name.Name)+" "+value.Value)
		}
	}
	return strings.Join(append([]string{strings.Join(sizes, "x")}, others...), ", ")
}

// flagName is a field's name as the lesson's flag has it: WarpsM is warps-m.
func flagName(field string) string {
	var b strings.Builder
	for i, r := range field {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// noMore refuses arguments in a command that takes none.
func noMore(rest []string) error {
	if len(rest) > 0 {
		return mistake{fmt.Errorf("%q is one argument too many", rest[0])}
	}
	return nil
}
