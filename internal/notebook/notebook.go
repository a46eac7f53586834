package notebook

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gohopper/lessons"
)

// FileName is the name of a lesson's notebook.
func FileName(l lessons.Lesson) string { return l.Name + ".ipynb" }

// Make writes a lesson of the repository at root as a notebook. The error
// holds all that is wrong with its page, a line each.
func Make(root string, l lessons.Lesson) ([]byte, error) {
	p := page{root: root, source: path.Join(l.Folder, "lesson.md")}
	read := func(name string) (string, error) {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		return string(data), err
	}
	text, err := read(p.source)
	if err != nil {
		return nil, err
	}
	source, err := read(path.Join(l.Folder, "kernel.go"))
	if err != nil {
		return nil, err
	}
	w := writer{lesson: l}
	var bad error
	for i, b := range blocks(text) {
		if b.text == exercises {
			w.practice(source)
		}
		if b.code {
			w.fence(b)
			continue
		}
		paragraph, err := p.resolve(b)
		bad = errors.Join(bad, err)
		w.prose(paragraph)
		if i == 0 {
			w.setUp()
		}
	}
	if bad != nil {
		return nil, bad
	}
	if !w.changed { // a page without exercises
		w.practice(source)
	}
	w.flush()
	return encode(l.Name, w.cells)
}

// exercises is the heading before which the reader is given the kernel.
const exercises = "## Exercises"

// writer gathers cells. A heading begins a Markdown cell, and so does what
// follows a cell of code.
type writer struct {
	lesson  lessons.Lesson
	cells   []cell
	pending []string // paragraphs of the next Markdown cell
	changed bool     // from here on commands run the reader's kernel
}

func (w *writer) prose(paragraph string) {
	if strings.HasPrefix(paragraph, "## ") {
		w.flush()
	}
	w.pending = append(w.pending, paragraph)
}

func (w *writer) flush() {
	if len(w.pending) > 0 {
		w.cells = append(w.cells, cell{text: strings.Join(w.pending, "\n\n")})
		w.pending = nil
	}
}

func (w *writer) code(lines ...string) {
	w.flush()
	w.cells = append(w.cells, cell{code: true, text: strings.Join(lines, "\n")})
}

// fence is a fenced piece: commands that this machine can run become a cell.
func (w *writer) fence(b block) {
	lines := strings.Split(b.text, "\n")
	commands := lines[1 : len(lines)-1]
	if b.fence != "sh" {
		w.prose(b.text)
		return
	}
	var cell []string
	for _, c := range commands {
		runs, ok := w.command(c)
		if !ok {
			w.prose(b.text)
			return
		}
		cell = append(cell, "!"+runs)
	}
	w.code(cell...)
}

// command is a lesson's command as a notebook runs it, by the import path and
// with the reader's kernel once there is one. It is false for what needs a GPU
// and for what is no run of a lesson.
func (w *writer) command(c string) (string, bool) {
	rest, ok := strings.CutPrefix(c, "go run ./lessons/")
	if !ok {
		return "", false
	}
	for _, flag := range []string{" -bench", " -tune", " -ablate", " -device cuda"} {
		if strings.Contains(rest, flag) {
			return "", false
		}
	}
	name, _, _ := strings.Cut(rest, " ")
	if w.changed && name == w.lesson.Name {
		return fmt.Sprintf("go run -overlay=%s gohopper/lessons/%s", w.overlay(), rest), true
	}
	return "go run gohopper/lessons/" + rest, true
}

// The files that a notebook writes. GoNB runs on Linux, macOS and WSL, which
// have this folder.
func (w *writer) kernel() string  { return "/tmp/gohopper-" + w.lesson.Name + "-kernel.go" }
func (w *writer) overlay() string { return "/tmp/gohopper-" + w.lesson.Name + "-overlay.json" }
func (w *writer) program() string { return "gohopper/" + w.lesson.Folder }

// setUp says what the notebook needs, and asks whether it is there.
func (w *writer) setUp() {
	w.prose("This is the lesson as a notebook for [GoNB](https://github.com/janpfeifer/gonb), a Go kernel for Jupyter. " +
		"A line that begins with `!` is a command of the shell. No GPU is needed: the emulator runs the kernel.\n\n" +
		"The next cell must print `gohopper`. If it does not, this notebook lies outside of a clone of the course: " +
		"write a line above it, `%cd` and the path of your clone, and run the cell again. " +
		"From any folder of the clone `" + w.program() + "` is what the text calls `./" + w.lesson.Folder + "`.")
	w.code("!go list -m")
}

// practice runs the lesson, then hands its kernel over.
func (w *writer) practice(kernel string) {
	run := "!go run " + w.program()
	w.prose("## Run it\n\nThe kernel is recorded, its PTX runs on the emulator, and every element of the result is checked.")
	w.code(run)
	w.prose("The shape, the type of the elements and the seed of data and schedule are flags, and so is the tile; `-h` lists them.")
	w.code(run + " -m 300 -n 520 -k 1000 -type bf16 -seed 7")
	w.prose("A timeline of the first cluster is a file for ui.perfetto.dev:")
	w.code(run + " -trace /tmp/gohopper-" + w.lesson.Name + "-timeline.json")
	w.prose("## Your kernel\n\nThis cell is the whole of `" + w.lesson.Folder + "/kernel.go`. " +
		"Change it, run it, and run the cells below: they put it in the place of the lesson's own, and the clone stays as it is. " +
		"A mistake in Go is reported with the path of this copy; what the emulator finds, with the line of `kernel.go`, which is one less than in the cell.")
	w.code("%%writefile "+w.kernel(), strings.TrimRight(kernel, "\n"))
	w.code(
		fmt.Sprintf(`!printf '{"Replace": {"%%s/kernel.go": "%s"}}' "$(go list -f '{{.Dir}}' %s)" > %s`, w.kernel(), w.program(), w.overlay()),
		fmt.Sprintf("!go run -overlay=%s %s", w.overlay(), w.program()))
	w.prose("What you have changed:")
	w.code(fmt.Sprintf(`!diff -u "$(go list -f '{{.Dir}}' %s)/kernel.go" %s || true`, w.program(), w.kernel())) // a difference is no failure
	w.changed = true
}
