package site

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"gohopper/lessons"
)

// exhibitView is what an exhibit's page has beside its prose.
type exhibitView struct {
	*exhibit
	Explains lessons.Lesson // the lesson behind it
	Forms    []formsView
	PTX      template.HTML // how the text of the two forms differs; "" where it is long
	Recorded template.HTML
	Sources  []sourceView
}

// formsView is how a file differs between the two forms of a kernel.
type formsView struct {
	File string
	HTML template.HTML
}

// exhibit gathers what the page of an exhibit shows.
func (b *builder) exhibit(e *exhibit) (*exhibitView, error) {
	v := &exhibitView{exhibit: e}
	var ok bool
	if v.Explains, ok = lessons.Find(e.Lesson); !ok {
		return nil, fmt.Errorf("%s: there is no lesson %q", e.ID, e.Lesson)
	}
	anchors := map[string]bool{}
	for _, name := range e.sources {
		text, err := b.file(museumFolder + "/" + name)
		if err != nil {
			return nil, err
		}
		s := b.source(museumFolder, name, string(text))
		for i := range s.Lines {
			anchors[fmt.Sprintf("%s:%d", name, i+1)] = true
		}
		v.Sources = append(v.Sources, s)
		forms, err := b.forms(e, name, string(text))
		if err != nil {
			return nil, err
		}
		if forms.HTML != "" {
			v.Forms = append(v.Forms, forms)
		}
	}
	recorded, err := b.file(recording("museum/" + e.ID))
	if err != nil {
		return nil, fmt.Errorf("%w: go test ./lessons/museum -update makes it", err)
	}
	v.Recorded = linked(string(recorded), anchors)
	if diff, err := b.file("site/recorded/museum/" + e.ID + ".diff"); err == nil {
		v.PTX = b.unified(string(diff))
	}
	if len(v.Forms) == 0 && v.PTX == "" {
		return nil, fmt.Errorf("%s: nothing shows how its forms differ", e.ID)
	}
	return v, nil
}

// forms compares a file's faulty form with the repaired one.
func (b *builder) forms(e *exhibit, name, text string) (formsView, error) {
	v := formsView{File: name}
	faulty, err := formOf(text, e.Fault)
	if err != nil {
		return v, fmt.Errorf("%s/%s: %w", museumFolder, name, err)
	}
	repaired, err := formOf(text, repairedFault)
	if err != nil {
		return v, fmt.Errorf("%s/%s: %w", museumFolder, name, err)
	}
	diff, err := udiff.ToUnifiedDiff("faulty", "repaired", faulty, udiff.Lines(faulty, repaired), udiff.DefaultContextLines)
	if err != nil {
		return v, fmt.Errorf("%s/%s: %w", museumFolder, name, err)
	}
	var out []string
	for _, hunk := range diff.Hunks {
		var lines []string
		for _, line := range hunk.Lines {
			sign := " "
			switch line.Kind {
			case udiff.Delete:
				sign = "-"
			case udiff.Insert:
				sign = "+"
			}
			lines = append(lines, signed(sign, string(b.hl.code("go", strings.TrimSuffix(line.Content, "\n")))))
		}
		out = append(out, strings.Join(lines, "\n"))
	}
	v.HTML = template.HTML(strings.Join(out, "\n<span class=\"hunk\">…</span>\n"))
	return v, nil
}

// unified renders a recorded difference of PTX.
func (b *builder) unified(diff string) template.HTML {
	var out []string
	for _, line := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		case strings.HasPrefix(line, "@@"):
			if len(out) > 0 {
				out = append(out, "<span class=\"hunk\">…</span>")
			}
		case line != "":
			out = append(out, signed(line[:1], string(b.hl.code("ptx", line[1:]))))
		}
	}
	return template.HTML(strings.Join(out, "\n"))
}

// signed is a line of a difference. The sign stays in the text, so that nothing
// is said by colour alone.
func signed(sign, code string) string {
	switch sign {
	case "-":
		return "<del>-" + code + "</del>"
	case "+":
		return "<ins>+" + code + "</ins>"
	}
	return sign + code
}

// leads is what a finding says that leads somewhere: a line of the museum, and
// a rule, by its address or in brackets at the end of a line.
var leads = regexp.MustCompile(`(?m)museum/([a-z_]+\.go:\d+)|docs/(rules)\.md(#[a-z-]+)|\[([a-z]+(?:-[a-z]+)*)\]$`)

// linked is what a program printed, with links to the lines of the page and to
// the rules.
func linked(text string, anchors map[string]bool) template.HTML {
	text = html.EscapeString(text)
	return template.HTML(leads.ReplaceAllStringFunc(text, func(found string) string {
		m := leads.FindStringSubmatch(found)
		switch {
		case anchors[m[1]]:
			return `<a href="#` + m[1] + `">` + found + `</a>`
		case m[2] != "":
			return `<a href="rules.html` + m[3] + `">` + found + `</a>`
		case m[4] != "":
			return `[<a href="rules.html#` + m[4] + `">` + m[4] + `</a>]`
		}
		return found
	}))
}
