package site

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/gomarkdown/markdown/ast"
)

// entry is what the search can find: a section of a page, or a word.
type entry struct {
	Page  string `json:"p"` // of the page
	Title string `json:"t"`
	Out   string `json:"u"`
	Text  string `json:"x"`
}

// indexPage adds a page's sections to the index of the search.
func (b *builder) indexPage(p *page) {
	now := entry{Page: p.title, Title: p.title, Out: p.out}
	for _, block := range p.blocks {
		if h, ok := block.(*ast.Heading); ok {
			b.index = append(b.index, now)
			now = entry{Page: p.title, Title: plain(h), Out: p.out + "#" + h.HeadingID}
			continue
		}
		if !beside(block) {
			now.Text = strings.TrimSpace(now.Text + " " + words(block))
		}
	}
	b.index = append(b.index, now)
}

var (
	tag    = regexp.MustCompile(`<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
)

// words is the text of a block with single spaces, for the search.
func words(n ast.Node) string {
	var parts []string
	ast.WalkFunc(n, func(n ast.Node, entering bool) ast.WalkStatus {
		if leaf := n.AsLeaf(); leaf != nil && entering {
			parts = append(parts, tag.ReplaceAllString(string(leaf.Literal), " "))
		}
		if link, ok := n.(*ast.Link); ok && isQuote(string(link.Destination)) {
			return ast.SkipChildren
		}
		return ast.GoToNext
	})
	return strings.TrimSpace(spaces.ReplaceAllString(strings.Join(parts, ""), " "))
}

// searchScript is the index as a script, which a page may load from a disk.
func (b *builder) searchScript() ([]byte, error) {
	data, err := json.Marshal(b.index)
	if err != nil {
		return nil, err
	}
	return []byte("window.searchIndex = " + string(data) + ";\n"), nil
}
