package site

import (
	"errors"
	"fmt"
	"strings"
)

// problem is something wrong with a source of the site.
type problem struct {
	file string // from the root of the repository
	line int    // from 1; 0 for the file as a whole
	err  error
}

func (p problem) Error() string {
	if p.line == 0 {
		return fmt.Sprintf("%s: %v", p.file, p.err)
	}
	return fmt.Sprintf("%s:%d: %v", p.file, p.line, p.err)
}

func (p problem) Unwrap() error { return p.err }

// problems collects what is wrong, so that one build tells all of it.
type problems []error

func (p *problems) add(file string, line int, err error) {
	if err != nil {
		*p = append(*p, problem{file, line, err})
	}
}

func (p problems) err() error { return errors.Join(p...) }

// lineOf is the line of a page on which a text first stands, 0 for nowhere.
func lineOf(page, text string) int {
	i := strings.Index(page, text)
	if i < 0 {
		return 0
	}
	return 1 + strings.Count(page[:i], "\n")
}
