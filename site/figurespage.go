package site

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"path"
	"strings"

	"github.com/gomarkdown/markdown/ast"
)

const (
	figuresOut    = "figures.html"
	figuresFolder = "site/figures"
)

// running is a figure that its program computes, in the state that it begins
// with. The program recorded it; see the answer of site/figures.
type running struct {
	Figure   string           `json:"figure"`
	Controls []runningControl `json:"controls"`
	Said     string           `json:"said"`
	Output   string           `json:"output"`
	Table    struct {
		Caption string     `json:"caption"`
		Head    []string   `json:"head"`
		Rows    [][]string `json:"rows"`
	} `json:"table"`
	Title   string        `json:"-"` // of the section that it stands in
	Drawing template.HTML `json:"-"`
}

// runningControl is a setting of a figure.
type runningControl struct {
	Name, Label, Kind, Value string
	Min, Max, Step           int
	Long                     bool
	Options                  []struct{ Value, Label string }
}

// isRunning reports whether an image of the page is a figure that runs.
func (r pageRenderer) isRunning(n *ast.Image) bool {
	return r.page.source == figuresFolder+"/README.md" && strings.HasPrefix(string(n.Destination), "recorded/")
}

// running writes a figure that runs, as it was recorded: the drawing lies
// beside the rest of the answer.
func (r pageRenderer) running(w io.Writer, n *ast.Image) error {
	drawing := path.Join(r.page.dir(), string(n.Destination))
	svg, err := r.file(drawing)
	if err != nil {
		return err
	}
	recorded := strings.TrimSuffix(drawing, ".svg") + ".json"
	data, err := r.file(recorded)
	if err != nil {
		return fmt.Errorf("%w: go test ./site/figures -update makes it", err)
	}
	var f running
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("%s: %w", recorded, err)
	}
	f.Title, f.Drawing = r.section(n), template.HTML(svg)
	t, err := template.ParseFS(templateFiles, "templates/figures.html")
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, "running", f)
}

// section is the text of the last heading before an image.
func (r pageRenderer) section(n *ast.Image) string {
	title := r.page.title
	for _, block := range r.page.blocks {
		if h, ok := block.(*ast.Heading); ok {
			title = plain(h)
		}
		if lone(block) == ast.Node(n) {
			break
		}
	}
	return title
}
