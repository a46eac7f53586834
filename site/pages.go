package site

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gohopper/lessons"
)

// The pages that are not named after their source.
const (
	homeOut      = "index.html"
	lessonsOut   = "lessons.html"
	referenceOut = "reference.html"
	missingOut   = "404.html"
	resultsOut   = "results.html" // after docs/results.md
)

// order is how the pages of docs stand in the menus; what is not in it follows
// by name.
var order = []string{"results", "method", "emulator", "rules", "errata", "glossary"}

// loadPages reads every page that is written in Markdown: the home page, the
// lessons in their order, and all of docs.
func loadPages(root string) ([]*page, error) {
	var all []*page
	var bad problems
	load := func(source, out string, lesson *lessons.Lesson) *page {
		p, err := loadPage(root, source, out)
		if err != nil {
			bad.add(source, 0, err)
			return nil
		}
		p.lesson = lesson
		if lesson != nil && p.title == "" {
			p.title = strings.ToUpper(lesson.Name) + ": " + lesson.Title
		}
		all = append(all, p)
		return p
	}
	load("site/home.md", homeOut, nil)
	load("lessons/README.md", lessonsOut, nil)
	for _, l := range lessons.All() {
		load(l.Folder+"/lesson.md", l.Name+".html", &l)
	}
	load(museumFolder+"/lesson.md", museumOut, nil)
	exhibits, err := readMuseum(root)
	bad.add(museumList, 0, err)
	for _, e := range exhibits {
		if p := load(e.source(), e.ID+".html", nil); p != nil {
			p.exhibit = e
			bad.add(p.source, 0, e.join(p))
		}
	}
	load(figuresFolder+"/README.md", figuresOut, nil)
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(docs, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	for _, file := range docs {
		name := filepath.Base(file)
		load("docs/"+name, strings.TrimSuffix(name, ".md")+".html", nil)
	}
	return all, bad.err()
}

// rank is a page's place in order.
func rank(file string) int {
	i := slices.Index(order, strings.TrimSuffix(filepath.Base(file), ".md"))
	if i < 0 {
		return len(order)
	}
	return i
}

// outputs is where each source of a page is found on the site, folders of
// lessons and the README among them.
func outputs(pages []*page) map[string]*page {
	at := map[string]*page{}
	for _, p := range pages {
		at[p.source] = p
		switch {
		case p.lesson != nil:
			at[p.lesson.Folder] = p
		case p.out == lessonsOut:
			at["lessons"] = p
		case p.out == homeOut:
			at["README.md"] = p
		case p.out == museumOut:
			at[museumFolder] = p
		}
	}
	return at
}

// exists reports whether a path from the root is a file.
func exists(root, file string) bool {
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(file)))
	return err == nil && info.Mode().IsRegular()
}

// copied is where a file that is no page is found on the site.
func copied(file string) string { return path.Join("files", file) }
