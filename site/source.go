package site

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/gomarkdown/markdown/ast"
	"github.com/gomarkdown/markdown/parser"

	"gohopper/lessons"
)

// page is a Markdown page on its way to the site.
type page struct {
	source  string // "lessons/v3/lesson.md", from the root
	out     string // "v3.html"
	lesson  *lessons.Lesson
	exhibit *exhibit // of the museum; nil for other pages
	text    string
	title   string // of its first heading, else of the lesson
	blocks  []ast.Node
	heads   []heading
}

// heading is a heading below the title.
type heading struct {
	Level    int
	ID, Text string
}

// extensions is the Markdown of the project's pages: what GitHub shows too.
const extensions = parser.NoIntraEmphasis | parser.Tables | parser.FencedCode | parser.Autolink |
	parser.Strikethrough | parser.SpaceHeadings | parser.BackslashLineBreak | parser.OrderedListStart |
	parser.NoEmptyLineBeforeBlock

// loadPage reads a page and gives each heading its anchor.
func loadPage(root, source, out string) (*page, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(source)))
	if err != nil {
		return nil, err
	}
	p := &page{source: source, out: out, text: strings.ReplaceAll(string(text), "\r\n", "\n")}
	taken := map[string]int{}
	for _, block := range parser.NewWithExtensions(extensions).Parse([]byte(p.text)).GetChildren() {
		h, ok := block.(*ast.Heading)
		if ok && h.Level == 1 && p.title == "" {
			p.title = plain(h)
			continue // the template shows it
		}
		if ok {
			h.HeadingID = anchor(plain(h), taken)
			p.heads = append(p.heads, heading{h.Level, h.HeadingID, plain(h)})
		}
		p.blocks = append(p.blocks, block)
	}
	return p, nil
}

// dir is the folder that the page's links are relative to.
func (p *page) dir() string { return path.Dir(p.source) }

// has reports whether a fragment of the page leads somewhere.
func (p *page) has(fragment string) bool {
	for _, h := range p.heads {
		if h.ID == fragment {
			return true
		}
	}
	return fragment == "" || fragment == "top"
}

// plain is the text of a node without its marks.
func plain(n ast.Node) string {
	var b strings.Builder
	ast.WalkFunc(n, func(n ast.Node, entering bool) ast.WalkStatus {
		if leaf := n.AsLeaf(); leaf != nil && entering {
			b.Write(leaf.Literal)
		}
		return ast.GoToNext
	})
	return strings.TrimSpace(b.String())
}

// anchor is the fragment that GitHub gives a heading: lower case, words joined
// by hyphens, a number where a heading repeats.
func anchor(text string, taken map[string]int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	id := b.String()
	n := taken[id]
	taken[id]++
	if n > 0 {
		return fmt.Sprintf("%s-%d", id, n)
	}
	return id
}
