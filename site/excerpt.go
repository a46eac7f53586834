package site

import (
	"fmt"
	"html"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/gomarkdown/markdown/ast"

	"gohopper/internal/excerpt"
)

// isQuote reports whether a link is a directive for a count or a number of a
// record, which stands inside a sentence.
func isQuote(target string) bool {
	file, fragment, ok := strings.Cut(target, "#")
	ext := path.Ext(file)
	return ok && fragment != "" && !strings.Contains(file, "://") && (ext == ".txt" || ext == ".json")
}

// lines finds what a directive of the page names.
func (r pageRenderer) lines(target string) (excerpt.Lines, error) {
	file, fragment, _ := strings.Cut(target, "#")
	d := excerpt.Directive{File: file, Fragment: fragment}
	return d.Resolve(filepath.Join(r.root, filepath.FromSlash(r.page.dir())))
}

// excerpt renders a piece of code with a caption that leads to the whole.
func (r pageRenderer) excerpt(w io.Writer, n *ast.Link, target string) error {
	lines, err := r.lines(target)
	if err != nil {
		return err
	}
	file, _, _ := strings.Cut(target, "#")
	language := strings.TrimPrefix(path.Ext(file), ".")
	where := fmt.Sprintf("%s:%d", path.Base(file), lines.First)
	address := ""
	if language == "go" {
		address, _, err = r.resolve(r.page, file)
		if err != nil {
			return err
		}
		if strings.Contains(address, "#") { // a source that its lesson's page shows
			address += fmt.Sprintf(":%d", lines.First)
		}
	} else if address, err = r.carry(r.page.dir(), file); err != nil {
		return err
	}
	fmt.Fprintf(w, "<figure class=\"code\"><figcaption><span>%s</span> <a href=\"%s\" title=\"in the whole file\">%s</a>%s</figcaption>",
		r.inner(n), html.EscapeString(address), html.EscapeString(where), copyButton)
	fmt.Fprintf(w, "<pre tabindex=\"0\"><code class=\"language-%s\">%s\n</code></pre></figure>\n", language, r.hl.code(language, lines.Text))
	return nil
}

// quote renders a number with the place where it was recorded.
func (r pageRenderer) quote(w io.Writer, target string) error {
	value, err := r.lines(target)
	if err != nil {
		return err
	}
	file, fragment, _ := strings.Cut(target, "#")
	address, err := r.carry(r.page.dir(), file)
	if err != nil {
		return err
	}
	kind := "counted"
	if path.Ext(file) == ".json" {
		kind = "recorded"
	}
	title := fmt.Sprintf("%s: %s, %s", kind, path.Base(file), strings.ReplaceAll(fragment, "%20", " "))
	fmt.Fprintf(w, "<a class=\"quote\" href=\"%s\" title=\"%s\">%s</a>", html.EscapeString(address), html.EscapeString(title), html.EscapeString(value.Text))
	return nil
}
