package site

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"gohopper/lessons"
)

// stepView is how kernel.go changes from the lesson before.
type stepView struct {
	From, Out      string
	Added, Removed int
	Kept           int
	HTML           template.HTML
}

// step compares a lesson's kernel with that of the lesson before; nil for the
// first.
func (b *builder) step(l lessons.Lesson) (*stepView, error) {
	var before *lessons.Lesson
	for _, other := range lessons.All() {
		if other.Name == l.Name {
			break
		}
		before = &other
	}
	if before == nil {
		return nil, nil
	}
	old, err := b.file(before.Folder + "/kernel.go")
	if err != nil {
		return nil, err
	}
	now, err := b.file(l.Folder + "/kernel.go")
	if err != nil {
		return nil, err
	}
	diff, err := udiff.ToUnifiedDiff(before.Name, l.Name, string(old), udiff.Lines(string(old), string(now)), udiff.DefaultContextLines)
	if err != nil {
		return nil, fmt.Errorf("the step from %s cannot be shown: %w", before.Name, err)
	}
	s := &stepView{From: strings.ToUpper(before.Name), Out: before.Name + ".html"}
	s.HTML = b.diff(diff, s)
	s.Kept = strings.Count(string(now), "\n") - s.Added
	return s, nil
}

// diff renders a difference and counts its lines. The signs stay in the text,
// so that nothing is said by colour alone.
func (b *builder) diff(diff udiff.UnifiedDiff, s *stepView) template.HTML {
	var out strings.Builder
	for _, hunk := range diff.Hunks {
		fmt.Fprintf(&out, "<span class=\"hunk\">line %d of %s, line %d of %s</span>\n", hunk.FromLine, diff.From, hunk.ToLine, diff.To)
		for _, line := range hunk.Lines {
			code := b.hl.code("go", strings.TrimSuffix(line.Content, "\n"))
			switch line.Kind {
			case udiff.Delete:
				s.Removed++
				fmt.Fprintf(&out, "<del>-%s</del>\n", code)
			case udiff.Insert:
				s.Added++
				fmt.Fprintf(&out, "<ins>+%s</ins>\n", code)
			default:
				fmt.Fprintf(&out, " %s\n", code)
			}
		}
	}
	return template.HTML(out.String())
}
