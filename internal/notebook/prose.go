package notebook

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"gohopper/internal/excerpt"
	"gohopper/lessons"
)

// block is a paragraph of a page, or a fenced piece of it with its fences.
type block struct {
	text  string
	line  int    // of its first line in the page
	fence string // the language of a fenced piece
	code  bool   // fenced
}

// blocks divides a page at its empty lines, those in fences aside.
func blocks(page string) []block {
	var all []block
	var now []string
	first, fenced := 0, false
	flush := func() {
		if len(now) == 0 {
			return
		}
		b := block{text: strings.Join(now, "\n"), line: first}
		b.fence, b.code = strings.CutPrefix(now[0], "```")
		all, now = append(all, b), nil
	}
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "```") {
			if !fenced {
				flush()
			}
			fenced = !fenced
			if !fenced {
				now = append(now, line)
				flush()
				continue
			}
		}
		if !fenced && strings.TrimSpace(line) == "" {
			flush()
			continue
		}
		if len(now) == 0 {
			first = i + 1
		}
		now = append(now, line)
	}
	flush()
	return all
}

// page is a lesson's text and where it lies.
type page struct {
	root   string // of the repository
	source string // from there, as in "lessons/v3/lesson.md"
}

func (p page) dir() string { return path.Dir(p.source) }

// link is an inline link or image of Markdown. The label may run over a line's
// end, the target has no spaces.
var link = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)\s]+)\)`)

// resolve is a paragraph in which every link leads somewhere from a notebook,
// wherever that lies: to another notebook, or to the Web. What a directive
// names stands in its place.
func (p page) resolve(b block) (string, error) {
	if m := link.FindStringSubmatch(b.text); m != nil && m[0] == b.text && m[1] == "" && isCode(m[3]) {
		text, err := p.excerpt(m[2], m[3])
		return text, p.at(b, 0, m[0], err)
	}
	var out strings.Builder
	var bad error
	last := 0
	for _, m := range link.FindAllStringSubmatchIndex(b.text, -1) {
		whole, label, target := b.text[m[0]:m[1]], b.text[m[4]:m[5]], b.text[m[6]:m[7]]
		turn := p.link
		if m[3] > m[2] {
			turn = p.image
		}
		text, err := turn(label, target)
		bad = errors.Join(bad, p.at(b, m[0], whole, err))
		out.WriteString(b.text[last:m[0]] + text)
		last = m[1]
	}
	return out.String() + b.text[last:], bad
}

// at says where in the page an error is.
func (p page) at(b block, offset int, what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s:%d: %s: %w", p.source, b.line+strings.Count(b.text[:offset], "\n"), what, err)
}

// lines finds what a directive of the page names.
func (p page) lines(target string) (excerpt.Lines, string, error) {
	name, fragment, _ := strings.Cut(target, "#")
	lines, err := excerpt.Directive{File: name, Fragment: fragment}.Resolve(filepath.Join(p.root, filepath.FromSlash(p.dir())))
	return lines, path.Join(p.dir(), name), err
}

// excerpt is a piece of code with its source.
func (p page) excerpt(label, target string) (string, error) {
	lines, source, err := p.lines(target)
	if err != nil {
		return "", err
	}
	language := strings.TrimPrefix(path.Ext(source), ".")
	return fmt.Sprintf("*%s*, `%s`, from line %d:\n\n```%s\n%s```", capital(label), source, lines.First, language, lines.Text), nil
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// isCode reports whether a target names lines of a source.
func isCode(target string) bool {
	name, fragment, _ := strings.Cut(target, "#")
	return fragment != "" && !strings.Contains(name, "://") && (path.Ext(name) == ".go" || path.Ext(name) == ".ptx")
}

// link is a link of a sentence.
func (p page) link(label, target string) (string, error) {
	name, fragment, _ := strings.Cut(target, "#")
	switch ext := path.Ext(name); {
	case strings.Contains(target, "://"):
		return fmt.Sprintf("[%s](%s)", label, target), nil
	case name == "":
		return label, nil // a heading of this page, whose anchor each viewer makes in its own way
	case fragment != "" && (ext == ".json" || ext == ".txt"):
		lines, _, err := p.lines(target)
		return lines.Text, err
	case fragment != "" && ext != ".md":
		lines, source, err := p.lines(target)
		return fmt.Sprintf("%s (`%s:%d`)", label, source, lines.First), err
	}
	full := path.Join(p.dir(), name)
	if _, err := os.Stat(filepath.Join(p.root, filepath.FromSlash(full))); err != nil {
		return "", fmt.Errorf("there is no %s", full)
	}
	if l, ok := lessons.Find(path.Base(path.Dir(full))); ok && full == path.Join(l.Folder, "lesson.md") {
		return fmt.Sprintf("[%s](%s)", label, FileName(l)), nil
	}
	return fmt.Sprintf("%s (`%s`)", label, full), nil
}

// image is a figure of the repository, carried in the cell: a path to it would
// hold in one folder only, and Jupyter shows no SVG that is an attachment.
func (p page) image(description, target string) (string, error) {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" {
		return "", errors.New("the image is outside of the repository")
	}
	if path.Ext(target) != ".svg" {
		return "", errors.New("only SVG figures can be carried in a notebook")
	}
	data, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(path.Join(p.dir(), target))))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("![%s](data:image/svg+xml;base64,%s)", description, base64.StdEncoding.EncodeToString(data)), nil
}
