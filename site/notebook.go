package site

import (
	"path"

	"gohopper/internal/notebook"
	"gohopper/lessons"
)

// notebook adds a lesson's notebook to the site and returns its address.
func (b *builder) notebook(l lessons.Lesson) (string, error) {
	data, err := notebook.Make(b.root, l)
	if err != nil {
		return "", err
	}
	out := copied(path.Join("notebooks", notebook.FileName(l)))
	b.files[out] = data
	return out, nil
}
