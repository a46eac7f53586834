package excerpt

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Directive is a link of a page to a piece of a file.
type Directive struct {
	Label    string
	File     string // as the page writes it, relative to the page
	Fragment string
	Line     int // of the target in the page, from 1
}

// link is an inline link of Markdown; the label may run over a line's end, the
// target has no spaces.
var link = regexp.MustCompile(`\[([^\]]*)\]\(([^)\s]+)\)`)

// Directives lists the directives of a page: its links to a local file with a
// fragment. A link to a heading, of this page or another, is none.
func Directives(markdown string) []Directive {
	var found []Directive
	for _, m := range link.FindAllStringSubmatchIndex(markdown, -1) {
		label, target := markdown[m[2]:m[3]], markdown[m[4]:m[5]]
		file, fragment, ok := strings.Cut(target, "#")
		if ok && file != "" && !strings.Contains(file, "://") && filepath.Ext(file) != ".md" {
			line := 1 + strings.Count(markdown[:m[4]], "\n")
			found = append(found, Directive{Label: label, File: file, Fragment: fragment, Line: line})
		}
	}
	return found
}

// Resolve is what a directive of a page in folder dir stands for: lines of a
// .go or .ptx file, or the text of a count, a field or a figure, which has no
// first line.
func (d Directive) Resolve(dir string) (Lines, error) {
	path := filepath.Join(dir, filepath.FromSlash(d.File))
	switch filepath.Ext(d.File) {
	case ".go":
		return Region(path, d.Fragment)
	case ".ptx":
		return Instruction(path, d.Fragment)
	case ".txt":
		n, err := Count(path, d.Fragment)
		return Lines{Text: strconv.Itoa(n)}, err
	case ".json":
		quote := Field
		if isFigures(path) {
			quote = Figure
		}
		value, err := quote(path, d.Fragment)
		return Lines{Text: value}, err
	}
	return Lines{}, fmt.Errorf("%s#%s: only .go, .ptx, .txt and .json files have pieces that prose can name", d.File, d.Fragment)
}
