package main

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"

	"gohopper/lessons"
)

// module is the line by which the root of the repository is known.
var module = regexp.MustCompile(`(?m)^module\s+gohopper\s*$`)

// root finds the repository: the working directory or a folder above it.
func (c *call) root() (string, error) {
	for dir := c.machine.Dir; ; dir = path.Dir(dir) {
		if text, err := c.machine.Read(path.Join(dir, "go.mod")); err == nil && module.Match(text) {
			return dir, nil
		}
		if dir == "/" {
			return "", fmt.Errorf("%s is not inside the course: no go.mod of module gohopper is there or above; cd into the repository", c.machine.Dir)
		}
	}
}

// lesson looks a lesson up; a name that is unknown is a mistake.
func (c *call) lesson(name string) (lessons.Lesson, error) {
	// A folder is as good as a name: the shell completes it.
	short := path.Clean(name)
	if path.Base(path.Dir(short)) == "lessons" {
		short = path.Base(short)
	}
	l, ok := lessons.Find(short)
	if !ok {
		return l, mistake{fmt.Errorf("there is no lesson %q%s; lesson list shows them", name, suggestion(name, lessons.Names()))}
	}
	return l, nil
}

// lessons looks several up; none means all.
func (c *call) lessons(names []string) ([]lessons.Lesson, error) {
	if len(names) == 0 {
		return lessons.All(), nil
	}
	var all []lessons.Lesson
	for _, name := range names {
		l, err := c.lesson(name)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// printJSON writes a value for machines.
func (c *call) printJSON(v any) error {
	e := json.NewEncoder(c.stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
