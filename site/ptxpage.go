package site

import (
	"fmt"
	"html/template"
	"strings"
)

const (
	ptxOut         = "ptx.html"
	examplesFolder = "site/examples"
	launchFormat   = "internal/launch/format.txt"
	// mostSeconds is how long the page lets a run take.
	mostSeconds = 20
)

// examples is those of the page for PTX, in the order of its menu. Each is three
// files: NAME.ptx, NAME.json, which describes the launch, and NAME.txt, what the
// page's program said of it.
func examples() []string { return []string{"add", "tma", "fence", "bytes", "wgmma"} }

// ptxView is what the page for PTX has beside its prose.
type ptxView struct {
	Examples []ptxExample
	Format   string // of the description of a launch
	Seconds  int    // that a run may take
	Rules    string // the page that explains the sanitizer's rules; "" without one
}

// ptxExample is a kernel that the page offers.
type ptxExample struct {
	Name          string
	Title, Note   string        // the comment that it begins with
	PTX           template.HTML // its lines
	Launch        template.HTML
	Recorded      string
	PTXFile       string // the same on the site
	LaunchFile    string
	Lines         int
	SourceCommand string // what runs it without a browser
}

// renderPTX makes the page on which a reader runs PTX.
func (b *builder) renderPTX() error {
	v := b.view("Run your own PTX", ptxOut)
	v.Kind, v.PTX = "ptx", &ptxView{Seconds: mostSeconds}
	format, err := b.file(launchFormat)
	if err != nil {
		return err
	}
	v.PTX.Format = string(format)
	if p := b.at["docs/rules.md"]; p != nil {
		v.PTX.Rules = p.out
	}
	for _, name := range examples() {
		e, err := b.ptxExample(name)
		if err != nil {
			return problem{examplesFolder + "/" + name, 0, err}
		}
		v.PTX.Examples = append(v.PTX.Examples, *e)
	}
	b.index = append(b.index, entry{Page: v.Title, Title: v.Title, Out: ptxOut, Text: v.PTX.words()})
	return b.write(v)
}

// ptxExample reads an example.
func (b *builder) ptxExample(name string) (*ptxExample, error) {
	base := examplesFolder + "/" + name
	e := &ptxExample{Name: name, SourceCommand: fmt.Sprintf("go run ./cmd/lesson sanitize %s.ptx -launch %s.json", base, base)}
	var text, launch, recorded []byte
	for ext, to := range map[string]*[]byte{".ptx": &text, ".json": &launch, ".txt": &recorded} {
		data, err := b.file(base + ext)
		if err != nil {
			return nil, fmt.Errorf("%w: go test ./site/playground -update makes what is recorded", err)
		}
		*to = data
	}
	var err error
	if e.PTXFile, err = b.carry(".", base+".ptx"); err != nil {
		return nil, err
	}
	if e.LaunchFile, err = b.carry(".", base+".json"); err != nil {
		return nil, err
	}
	if e.Title, e.Note = introduction(string(text)); e.Title == "" || e.Note == "" {
		return nil, fmt.Errorf("the PTX begins with no comment: write its title on the first line and what to see in it on the next")
	}
	var html strings.Builder
	for i, line := range b.hl.lines("ptx", string(text)) {
		fmt.Fprintf(&html, "<span id=\"%s.ptx:%d\">%s</span>\n", name, i+1, line)
		e.Lines = i + 1
	}
	e.PTX, e.Recorded = template.HTML(html.String()), string(recorded)
	e.Launch = b.hl.code("json", string(launch)) + "\n"
	return e, nil
}

// introduction reads the comment that PTX begins with: its first line, and the
// others as one text.
func introduction(text string) (title, note string) {
	var lines []string
	for line := range strings.Lines(text) {
		said, is := strings.CutPrefix(line, "//")
		if !is {
			break
		}
		lines = append(lines, strings.TrimSpace(said))
	}
	if len(lines) == 0 {
		return "", ""
	}
	return lines[0], strings.Join(lines[1:], " ")
}

// words is the page's text, for the search.
func (v *ptxView) words() string {
	var text []string
	for _, e := range v.Examples {
		text = append(text, e.Title+".", e.Note)
	}
	return strings.Join(text, " ")
}
