package site

import (
	"fmt"
	"html/template"
	"path"
	"path/filepath"
	"strings"
)

// sources renders the Go files of a lesson, the kernel first, each line with
// an anchor such as "kernel.go:54", as findings name them.
func (b *builder) sources(folder string) ([]sourceView, error) {
	names, err := b.goFiles(folder)
	if err != nil {
		return nil, err
	}
	var all []sourceView
	for _, name := range names {
		text, err := b.file(folder + "/" + name)
		if err != nil {
			return nil, err
		}
		all = append(all, b.source(folder, name, string(text)))
	}
	return all, nil
}

// source renders one file.
func (b *builder) source(folder, name, text string) sourceView {
	lines := b.hl.lines("go", text)
	var html strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&html, "<span id=\"%s:%d\">%s</span>\n", name, i+1, line)
	}
	return sourceView{Name: name, Folder: folder, Lines: len(lines), HTML: template.HTML(html.String())}
}

// goFiles lists the Go files of a lesson that are no tests, kernel.go first.
func (b *builder) goFiles(folder string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(b.root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		return nil, err
	}
	names := []string{"kernel.go"}
	for _, f := range found {
		name := path.Base(filepath.ToSlash(f))
		if name != "kernel.go" && !strings.HasSuffix(name, "_test.go") {
			names = append(names, name)
		}
	}
	return names, nil
}
