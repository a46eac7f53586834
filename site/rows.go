package site

import (
	"html/template"
	"path"
	"strings"

	"github.com/gomarkdown/markdown/ast"
)

// row is a stretch of a page: prose, and beside it the code and the figures
// that it speaks of. In reading order the code stands where the page names it,
// between what leads to it and what explains it.
type row struct {
	Before, Code, After template.HTML
}

// group divides blocks into rows. A heading begins a row. So does a piece of
// code after prose that follows another one, together with the last block of
// that prose, which leads to it.
func group(blocks []ast.Node) [][3][]ast.Node {
	const before, code, after = 0, 1, 2
	var rows [][3][]ast.Node
	var now [3][]ast.Node
	flush := func() {
		if len(now[before])+len(now[code]) > 0 {
			rows = append(rows, now)
		}
		now = [3][]ast.Node{}
	}
	for _, b := range blocks {
		_, isHeading := b.(*ast.Heading)
		switch {
		case isHeading:
			flush()
			now[before] = append(now[before], b)
		case beside(b):
			if last := len(now[after]) - 1; last >= 0 {
				lead := now[after][last]
				now[after] = now[after][:last]
				flush()
				now[before] = []ast.Node{lead}
			}
			now[code] = append(now[code], b)
		case len(now[code]) > 0:
			now[after] = append(now[after], b)
		default:
			now[before] = append(now[before], b)
		}
	}
	flush()
	return rows
}

// beside reports whether a block stands in the code column: a paragraph that
// is one link to a piece of code, or one image.
func beside(b ast.Node) bool {
	only := lone(b)
	switch n := only.(type) {
	case *ast.Image:
		return true
	case *ast.Link:
		return isCode(string(n.Destination))
	}
	return false
}

// lone is the one child of a paragraph that has no other, or nil.
func lone(b ast.Node) ast.Node {
	p, ok := b.(*ast.Paragraph)
	if !ok {
		return nil
	}
	var only ast.Node
	for _, child := range p.GetChildren() {
		if text, ok := child.(*ast.Text); ok && strings.TrimSpace(string(text.Literal)) == "" {
			continue
		}
		if only != nil {
			return nil
		}
		only = child
	}
	return only
}

// isCode reports whether a link is a directive for a piece of code.
func isCode(target string) bool {
	file, fragment, ok := strings.Cut(target, "#")
	ext := path.Ext(file)
	return ok && fragment != "" && !strings.Contains(file, "://") && (ext == ".go" || ext == ".ptx")
}
