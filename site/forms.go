package site

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// repairedFault is the fault of a kernel that has none.
const repairedFault = "None"

// asides is what stands in the museum's code for its tests and its pages alone.
var asides = regexp.MustCompile(`(?m)[ \t]*// blame .*$|^[ \t]*//(end)?region .*\n`)

// formOf is the text of a source of the museum when its fault f is this one:
// each decision about f is taken, so that what is left is one kernel.
func formOf(source, fault string) (string, error) {
	source = asides.ReplaceAllString(source, "")
	for {
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return "", err
		}
		d := decision{fault: fault, source: source, base: fset.File(tree.Pos()).Base()}
		ast.Inspect(tree, d.visit)
		if !d.found {
			break
		}
		source = source[:d.from] + d.taken + source[d.to:]
	}
	clean, err := format.Source([]byte(source))
	if err != nil {
		return "", fmt.Errorf("the form %s: %w", fault, err)
	}
	return string(clean), nil
}

// decision is the first statement of a source that depends on the fault alone,
// and what is left of it.
type decision struct {
	fault, source string
	base          int

	found    bool
	from, to int // bytes of the source
	taken    string
}

func (d *decision) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		if yes, known := d.truth(n.Cond); known && n.Init == nil && !d.found {
			switch {
			case yes:
				d.take(n, d.between(n.Body.Lbrace+1, n.Body.Rbrace))
			case n.Else == nil:
				d.take(n, "")
			default:
				d.take(n, d.elseOf(n.Else))
			}
		}
	case *ast.SwitchStmt:
		if tag, ok := n.Tag.(*ast.Ident); ok && tag.Name == "f" && !d.found {
			d.take(n, d.clause(n))
		}
	}
	return !d.found
}

// take notes what replaces a statement. A statement that leaves nothing leaves
// no line.
func (d *decision) take(n ast.Node, text string) {
	d.found, d.from, d.to = true, int(n.Pos())-d.base, int(n.End())-d.base
	d.taken = strings.TrimSpace(text)
	if d.taken == "" {
		d.from = strings.LastIndex(d.source[:d.from], "\n")
	}
}

func (d *decision) between(from, to token.Pos) string {
	return d.source[int(from)-d.base : int(to)-d.base]
}

// elseOf is the text of an else: a block without its braces, or another if.
func (d *decision) elseOf(s ast.Stmt) string {
	if block, ok := s.(*ast.BlockStmt); ok {
		return d.between(block.Lbrace+1, block.Rbrace)
	}
	return d.between(s.Pos(), s.End())
}

// clause is the case that a switch over the fault takes.
func (d *decision) clause(n *ast.SwitchStmt) string {
	otherwise := ""
	for _, s := range n.Body.List {
		c := s.(*ast.CaseClause) // a switch has no other statements
		text := ""
		if len(c.Body) > 0 {
			text = d.between(c.Body[0].Pos(), c.Body[len(c.Body)-1].End())
		}
		if c.List == nil {
			otherwise = text
		}
		for _, value := range c.List {
			if name, ok := value.(*ast.Ident); ok && name.Name == d.fault {
				return text
			}
		}
	}
	return otherwise
}

// truth is the value of a condition over the fault; known is false for any
// other condition. In the host's code plain says that the fault is PlainMap.
func (d *decision) truth(e ast.Expr) (value, known bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return d.truth(e.X)
	case *ast.Ident:
		return d.fault == "PlainMap", e.Name == "plain"
	case *ast.BinaryExpr:
		x, isName := e.X.(*ast.Ident)
		y, isValue := e.Y.(*ast.Ident)
		switch {
		case e.Op == token.LAND, e.Op == token.LOR:
			a, knowA := d.truth(e.X)
			b, knowB := d.truth(e.Y)
			if e.Op == token.LAND {
				return a && b, knowA && knowB
			}
			return a || b, knowA && knowB
		case !isName || !isValue || x.Name != "f":
			return false, false
		case e.Op == token.EQL:
			return y.Name == d.fault, true
		case e.Op == token.NEQ:
			return y.Name != d.fault, true
		}
	}
	return false, false
}
