package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// file is a notebook (nbformat 4.5, "The Notebook file format").
type file struct {
	Cells    []cell   `json:"cells"`
	Metadata metadata `json:"metadata"`
	Format   int      `json:"nbformat"`
	Minor    int      `json:"nbformat_minor"`
}

type metadata struct {
	Kernel   kernel   `json:"kernelspec"`
	Language language `json:"language_info"`
}

type kernel struct {
	DisplayName string `json:"display_name"`
	Language    string `json:"language"`
	Name        string `json:"name"`
}

type language struct {
	Extension string `json:"file_extension"`
	Type      string `json:"mimetype"`
	Name      string `json:"name"`
}

// cell is a cell's text and whether it is code.
type cell struct {
	id   string
	code bool
	text string
}

// MarshalJSON writes the fields that the format asks of the cell's kind, in
// the order of their names, as Jupyter does.
func (c cell) MarshalJSON() ([]byte, error) {
	type prose struct {
		Kind     string   `json:"cell_type"`
		ID       string   `json:"id"`
		Metadata struct{} `json:"metadata"`
		Source   []string `json:"source"`
	}
	type code struct {
		Kind     string   `json:"cell_type"`
		Count    *int     `json:"execution_count"` // null: it has not been run
		ID       string   `json:"id"`
		Metadata struct{} `json:"metadata"`
		Outputs  []string `json:"outputs"`
		Source   []string `json:"source"`
	}
	source := strings.SplitAfter(strings.TrimRight(c.text, "\n"), "\n")
	if c.code {
		return plain(code{Kind: "code", ID: c.id, Outputs: []string{}, Source: source})
	}
	return plain(prose{Kind: "markdown", ID: c.id, Source: source})
}

// encode makes the file. The cells are numbered: an id tells the cells of a
// notebook apart, and equal sources keep equal ids.
func encode(name string, cells []cell) ([]byte, error) {
	for i := range cells {
		cells[i].id = fmt.Sprintf("%s-%02d", name, i)
	}
	compact, err := plain(file{
		Cells:    cells,
		Metadata: metadata{kernel{"Go (gonb)", "go", "gonb"}, language{".go", "text/x-go", "go"}},
		Format:   4, Minor: 5,
	})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", " "); err != nil {
		return nil, err
	}
	return append(bytes.TrimSpace(out.Bytes()), '\n'), nil
}

// plain is JSON in which <, > and & stand as they are.
func plain(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return out.Bytes(), err
}

// Is reports whether data is a notebook.
func Is(data []byte) bool {
	var f struct {
		Cells  json.RawMessage `json:"cells"`
		Format int             `json:"nbformat"`
	}
	return json.Unmarshal(data, &f) == nil && f.Cells != nil && f.Format > 0
}
