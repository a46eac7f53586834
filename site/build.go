package site

import (
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gohopper/lessons"
)

// builder makes the site of one repository.
type builder struct {
	root   string
	pages  []*page
	at     map[string]*page // by source, as outputs gives them
	vocab  vocabulary
	hl     highlighter
	ladder ladder
	files  Files
	bad    problems
	index  []entry // of the search
}

// Make renders the site of the repository at root, without the lessons'
// programs. The error holds all that is wrong, a line each.
func Make(root string) (Files, error) {
	b := &builder{root: root, files: Files{}}
	for _, step := range []func() error{b.read, b.renderPages, b.renderReference, b.renderPTX, b.renderMissing, b.assets} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if err := b.bad.err(); err != nil {
		return nil, err
	}
	return b.files, b.files.Check()
}

// read loads everything that the pages are made of.
func (b *builder) read() (err error) {
	if b.pages, err = loadPages(b.root); err != nil {
		return err
	}
	b.at = outputs(b.pages)
	if b.vocab, err = readVocabulary(b.root); err != nil {
		return err
	}
	b.hl = newHighlighter(b.vocab.addresses())
	b.ladder, err = readLadder(b.root)
	return err
}

// view is what the templates show.
type view struct {
	Title    string
	Out      string
	Source   string // of a page that is Markdown, from the root
	Kind     string // "home", "lesson", "doc", "reference", "missing"
	Rows     []row
	Headings []heading
	Menu     []menuItem // in sight
	More     []menuItem // behind a click
	Lessons  []menuItem
	Prev     *menuItem
	Next     *menuItem
	Lesson   *lessonView
	Ladder   *ladder
	Words    []wordGroup
	PTX      *ptxView
	Quiz     bool // the page asks questions
	Exhibit  *exhibitView
	Exhibits []menuItem // in the menu of the museum
}

// menuItem is a link of a menu.
type menuItem struct {
	Name, Title, Out string
	Current          bool
}

func (b *builder) renderPages() error {
	for i, p := range b.pages {
		v := b.view(p.title, p.out)
		v.Source, v.Headings, v.Kind = p.source, p.heads, "doc"
		v.Quiz = b.askQuestions(p)
		v.Rows = b.rows(p)
		b.indexPage(p)
		switch {
		case p.out == homeOut:
			v.Kind, v.Ladder = "home", &b.ladder
		case p.lesson != nil:
			v.Kind, v.Lesson = "lesson", b.lesson(p)
			v.Prev, v.Next = b.neighbour(i-1), b.neighbour(i+1)
		case p.out == figuresOut:
			v.Kind = "figures"
		case p.exhibit != nil:
			v.Kind = "exhibit"
			var err error
			if v.Exhibit, err = b.exhibit(p.exhibit); err != nil {
				b.bad.add(p.source, 0, err)
			}
			v.Prev, v.Next = b.neighbour(i-1), b.neighbour(i+1)
		}
		if err := b.write(v); err != nil {
			return err
		}
	}
	return nil
}

// neighbour is the page at i if it is a lesson or an exhibit.
func (b *builder) neighbour(i int) *menuItem {
	if i < 0 || i >= len(b.pages) {
		return nil
	}
	p := b.pages[i]
	switch {
	case p.exhibit != nil:
		name, title, _ := strings.Cut(p.title, ": ")
		return &menuItem{Name: name, Title: title, Out: p.out}
	case p.lesson == nil:
		return nil
	}
	return &menuItem{Name: strings.ToUpper(p.lesson.Name), Title: p.lesson.Title, Out: p.out}
}

// view begins the view of a page with its menus.
func (b *builder) view(title, out string) *view {
	v := &view{Title: title, Out: out}
	add := func(to *[]menuItem, name, title, target string) {
		*to = append(*to, menuItem{name, title, target, target == out})
	}
	add(&v.Menu, "Lessons", "The lessons", lessonsOut)
	add(&v.Menu, "Words", "The vocabulary and its PTX", referenceOut)
	add(&v.Menu, "Figures", "Figures that run", figuresOut)
	add(&v.Menu, "PTX", "Run your own PTX", ptxOut)
	add(&v.Menu, "Museum", "The bug museum", museumOut)
	for _, p := range b.pages {
		switch {
		case p.lesson != nil:
			add(&v.Lessons, strings.ToUpper(p.lesson.Name), p.lesson.Title, p.out)
		case p.exhibit != nil:
			add(&v.Exhibits, p.exhibit.Short(), p.title, p.out)
		case path.Dir(p.source) == "docs":
			name := strings.NewReplacer("-", " ", "ptx", "PTX").Replace(strings.TrimSuffix(p.out, ".html"))
			menu := &v.More
			if p.out == resultsOut {
				menu = &v.Menu
			}
			add(menu, strings.ToUpper(name[:1])+name[1:], p.title, p.out)
		}
	}
	return v
}

func (b *builder) renderMissing() error {
	v := b.view("Not here", missingOut)
	v.Kind = "missing"
	return b.write(v)
}

// write renders a view with the templates.
func (b *builder) write(v *view) error {
	text, err := render(v)
	if err != nil {
		return fmt.Errorf("%s: %w", v.Out, err)
	}
	b.files[v.Out] = text
	return nil
}

// file reads a file of the repository.
func (b *builder) file(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(b.root, filepath.FromSlash(name)))
}

// lessonView is what a lesson's page has beside its prose.
type lessonView struct {
	lessons.Lesson
	Result  *ladderRow
	Step    *stepView
	Sources []sourceView
	Program *programView
	// Timeline is the figure of the pipeline; "" for a lesson of which none is
	// drawn.
	Timeline template.HTML
	Notebook string // its address
}

// sourceView is a whole source file.
type sourceView struct {
	Name, Folder string
	Lines        int
	HTML         template.HTML
}

func (b *builder) lesson(p *page) *lessonView {
	v := &lessonView{Lesson: *p.lesson, Result: b.ladder.row(p.lesson.Name)}
	var err error
	if v.Step, err = b.step(*p.lesson); err != nil {
		b.bad.add(p.lesson.Folder, 0, err)
	}
	if v.Sources, err = b.sources(p.lesson.Folder); err != nil {
		b.bad.add(p.lesson.Folder, 0, err)
	}
	v.Timeline = b.timeline(p.lesson.Name)
	if _, err = b.carry(p.lesson.Folder, "testdata/kernel.ptx"); err != nil {
		b.bad.add(p.lesson.Folder, 0, err)
	}
	if v.Program, err = b.program(*p.lesson); err != nil {
		b.bad = append(b.bad, err)
	}
	if len(b.bad) == 0 { // or the mistakes of the page would be told twice
		if v.Notebook, err = b.notebook(*p.lesson); err != nil {
			b.bad = append(b.bad, err)
		}
	}
	return v
}
