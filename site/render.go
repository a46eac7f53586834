package site

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"io"
	"strings"

	"github.com/gomarkdown/markdown"
	"github.com/gomarkdown/markdown/ast"
	mdhtml "github.com/gomarkdown/markdown/html"
)

// rows renders the blocks of a page.
func (b *builder) rows(p *page) []row {
	r := pageRenderer{builder: b, page: p}
	html := mdhtml.NewRenderer(mdhtml.RendererOptions{RenderNodeHook: r.node})
	var rows []row
	for _, parts := range group(p.blocks) {
		var out [3]template.HTML
		for i, blocks := range parts {
			var text bytes.Buffer
			for _, block := range blocks {
				text.Write(markdown.Render(block, html))
			}
			out[i] = template.HTML(text.String())
		}
		rows = append(rows, row{out[0], out[1], out[2]})
	}
	return rows
}

// pageRenderer renders the nodes of one page that gomarkdown cannot: links,
// images and code.
type pageRenderer struct {
	*builder
	page *page
}

// node is gomarkdown's hook.
func (r pageRenderer) node(w io.Writer, n ast.Node, entering bool) (ast.WalkStatus, bool) {
	switch n := n.(type) {
	case *ast.Paragraph:
		if beside(n) {
			return ast.GoToNext, true // its child is a block of its own
		}
	case *ast.Heading:
		r.heading(w, n, entering)
		return ast.GoToNext, true
	case *ast.Link:
		if entering {
			r.link(w, n)
		}
		return ast.SkipChildren, true
	case *ast.Image:
		if entering {
			r.image(w, n)
		}
		return ast.SkipChildren, true
	case *ast.CodeBlock:
		language := string(n.Info)
		r.codeBlock(w, language, r.hl.code(language, string(n.Literal)))
		return ast.GoToNext, true
	case *ast.Table:
		if entering {
			io.WriteString(w, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"table\"><table>\n")
		} else {
			io.WriteString(w, "</table></div>\n")
		}
		return ast.GoToNext, true
	}
	return ast.GoToNext, false
}

// heading has a link to itself, for handouts.
func (r pageRenderer) heading(w io.Writer, n *ast.Heading, entering bool) {
	if entering {
		fmt.Fprintf(w, "<h%d id=%q>", n.Level, n.HeadingID)
		return
	}
	fmt.Fprintf(w, "<a class=\"anchor\" href=\"#%s\" aria-label=\"Link to %s\">#</a></h%d>\n", n.HeadingID, html.EscapeString(plain(n)), n.Level)
}

// codeBlock is a block that stands in the prose: commands and drawings.
func (r pageRenderer) codeBlock(w io.Writer, language string, code template.HTML) {
	copies := ""
	if language == "sh" {
		copies = copyButton
	}
	fmt.Fprintf(w, "<div class=\"block\">%s<pre tabindex=\"0\"><code class=\"language-%s\">%s\n</code></pre></div>\n",
		copies, html.EscapeString(language), code)
}

// copyButton copies the code that stands beside it; a script brings it to life
// and shows it.
const copyButton = `<button class="copy" type="button" hidden>Copy</button>`

// image is a figure with its description, which is its text alternative.
func (r pageRenderer) image(w io.Writer, n *ast.Image) {
	target, alt := string(n.Destination), plain(n)
	line := lineOf(r.page.text, "]("+target+")")
	if r.isRunning(n) {
		r.bad.add(r.page.source, line, r.running(w, n))
		return
	}
	if strings.Contains(target, "://") {
		r.bad.add(r.page.source, line, fmt.Errorf("the image %s is outside of the site: keep it in the repository", target))
		return
	}
	if alt == "" {
		r.bad.add(r.page.source, line, fmt.Errorf("the image %s has no description: write it between the brackets", target))
	}
	out, err := r.carry(r.page.dir(), target)
	if err != nil {
		r.bad.add(r.page.source, line, err)
		return
	}
	r.figure(w, out, alt)
}

// link renders a link or what a directive names.
func (r pageRenderer) link(w io.Writer, n *ast.Link) {
	target := string(n.Destination)
	label := r.inner(n)
	address, class, err := "", "", error(nil)
	switch {
	case isCode(target):
		if err = r.excerpt(w, n, target); err == nil {
			return
		}
	case isQuote(target):
		if err = r.quote(w, target); err == nil {
			return
		}
	default:
		address, class, err = r.resolve(r.page, target)
	}
	if err != nil {
		r.bad.add(r.page.source, lineOf(r.page.text, "]("+target+")"), fmt.Errorf("[%s](%s): %w", plain(n), target, err))
		return
	}
	fmt.Fprintf(w, "<a href=\"%s\"%s>%s</a>", html.EscapeString(address), class, label)
}

// inner renders the children of a node.
func (r pageRenderer) inner(n ast.Node) template.HTML {
	var text bytes.Buffer
	renderer := mdhtml.NewRenderer(mdhtml.RendererOptions{})
	for _, child := range n.GetChildren() {
		text.Write(markdown.Render(child, renderer))
	}
	return template.HTML(bytes.TrimSpace(text.Bytes()))
}
