package site

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gohopper/lessons"
)

// Compiler makes programs for the browser.
type Compiler struct {
	// Build compiles the program in a folder of the repository, as in
	// "lessons/v3", with GOOS=js and GOARCH=wasm, to a file. It is called for
	// several programs at once.
	Build func(folder, file string) error
	// Glue is the script that such a program needs: lib/wasm/wasm_exec.js of
	// the Go that compiles it.
	Glue []byte
}

// Program is a program of the repository that runs in a page.
type Program struct {
	Name   string // in the page, as in "v3"
	Folder string // from the root of the repository
}

// Programs lists those of all pages: the lessons', and what other pages run.
func Programs() []Program {
	var list []Program
	for _, l := range lessons.All() {
		list = append(list, Program{l.Name, l.Folder})
	}
	return append(list,
		Program{"playground", "site/playground"},
		Program{"museum", museumFolder},
		Program{"figures", figuresFolder},
	)
}

// Programs compiles programs for their pages. Progress is told the name of each
// that is done.
//
// A page that was opened from a disk may load scripts, but neither a binary
// file nor a worker. So a program is a script that holds the compressed binary
// in base64, and the worker's own script is text within one.
func (c Compiler) Programs(chosen []Program, progress func(name string)) (Files, error) {
	dir, err := os.MkdirTemp("", "lesson-site")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files := Files{}
	for _, name := range []string{"worker", "figures-worker"} {
		worker, err := assetFiles.ReadFile("assets/" + name + ".js")
		if err != nil {
			return nil, err
		}
		files["programs/"+name+".js"] = script(name, string(c.Glue)+"\n"+string(worker))
	}
	type made struct {
		name string
		text []byte
		err  error
	}
	results := make(chan made)
	turn := make(chan struct{}, runtime.GOMAXPROCS(0)) // as many at once
	for _, p := range chosen {
		go func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			text, err := c.program(p, filepath.Join(dir, p.Name))
			results <- made{p.Name, text, err}
		}()
	}
	for range chosen {
		m := <-results
		if m.err != nil {
			err = errors.Join(err, m.err)
			continue
		}
		files["programs/"+m.name+".js"] = m.text
		progress(m.name)
	}
	return files, err
}

// program compiles one program and packs it.
func (c Compiler) program(p Program, file string) ([]byte, error) {
	if err := c.Build(p.Folder, file); err != nil {
		return nil, err
	}
	binary, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	packed, err := compress(binary)
	if err != nil {
		return nil, err
	}
	return script(p.Name, base64.StdEncoding.EncodeToString(packed)), nil
}

// script is a text as a script that puts it under a name.
func script(name, text string) []byte {
	quoted := strings.NewReplacer(`\`, `\\`, "`", "\\`", "${", "\\${").Replace(text)
	return fmt.Appendf(nil, "(window.programs ||= {})[%q] = `%s`;\n", name, quoted)
}

// compress is gzip without a time, so that equal binaries stay equal. The last
// percent of size would cost three times as long.
func compress(binary []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(binary); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}
