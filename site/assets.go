package site

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
)

//go:embed assets
var assetFiles embed.FS

//go:embed templates/*.html
var templateFiles embed.FS

// assets copies the style and the scripts, and makes the index of the search.
func (b *builder) assets() error {
	err := fs.WalkDir(assetFiles, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := assetFiles.ReadFile(name)
		b.files[name] = data
		return err
	})
	if err != nil {
		return err
	}
	b.files["assets/search.js"], err = b.searchScript()
	return err
}

// render makes a page of a view.
func render(v *view) ([]byte, error) {
	t, err := template.New("layout.html").Funcs(template.FuncMap{
		"copy": func() template.HTML { return copyButton },
		"safe": func(s string) template.HTML { return template.HTML(s) },
	}).ParseFS(templateFiles, "templates/*.html")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, v)
	return out.Bytes(), err
}
