package site

import (
	"fmt"
	"html"
	"html/template"
	"io"
	"regexp"
	"strings"
)

// figure writes a figure that lies on the site. Where its numbers lie beside
// it, as those of plots do, they are offered.
func (b *builder) figure(w io.Writer, out, alt string) {
	fmt.Fprintf(w, "<figure><img src=%q alt=%q loading=\"lazy\"%s>", out, html.EscapeString(alt), b.size(out))
	if table, ok := strings.CutSuffix(out, ".svg"); ok && strings.HasPrefix(out, copied("plots/figures")) {
		source := strings.TrimPrefix(table, "files/") + ".csv"
		if address, err := b.carry(".", source); err != nil {
			b.bad.add(source, 0, err)
		} else {
			fmt.Fprintf(w, "<figcaption class=\"source-note\"><a href=%q>The numbers, as CSV</a></figcaption>", address)
		}
	}
	io.WriteString(w, "</figure>\n")
}

// viewBox is the size that an SVG declares.
var viewBox = regexp.MustCompile(`<svg[^>]*\bviewBox="0 0 ([0-9.]+) ([0-9.]+)"`)

// size is the attributes that keep a figure's place while it loads; none for
// one that does not say.
func (b *builder) size(out string) string {
	m := viewBox.FindSubmatch(b.files[out])
	if m == nil {
		return ""
	}
	whole := func(n []byte) string { s, _, _ := strings.Cut(string(n), "."); return s }
	return fmt.Sprintf(" width=\"%s\" height=\"%s\"", whole(m[1]), whole(m[2]))
}

var (
	svgTitle = regexp.MustCompile(`<title[^>]*>([^<]*)</title>`)
	svgDesc  = regexp.MustCompile(`<desc[^>]*>([^<]*)</desc>`)
)

// timeline is the figure of a lesson's pipeline with its own description, ""
// where none is drawn.
func (b *builder) timeline(lesson string) template.HTML {
	source := "plots/figures/timeline-" + lesson + ".svg"
	if !exists(b.root, source) {
		return ""
	}
	out, err := b.carry(".", source)
	if err != nil {
		b.bad.add(source, 0, err)
		return ""
	}
	var alt []string
	for _, part := range []*regexp.Regexp{svgTitle, svgDesc} {
		if m := part.FindSubmatch(b.files[out]); m != nil {
			alt = append(alt, html.UnescapeString(string(m[1])))
		}
	}
	var text strings.Builder
	b.figure(&text, out, strings.Join(alt, ". "))
	return template.HTML(text.String())
}
