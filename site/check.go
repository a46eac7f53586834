package site

import (
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"strings"
)

var (
	references = regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)
	anchors    = regexp.MustCompile(`\sid="([^"]*)"`)
	images     = regexp.MustCompile(`<img\b[^>]*>`)
	levels     = regexp.MustCompile(`<h([1-6])\b`)
)

// Check reads the finished pages and reports links that lead nowhere, anchors
// that are there twice, requests outside of the site, images without a
// description, and headings that skip a level.
func (f Files) Check() error {
	ids := map[string]map[string]bool{}
	var bad problems
	for _, name := range f.Names() {
		if path.Ext(name) != ".html" {
			continue
		}
		ids[name] = map[string]bool{"": true}
		for _, m := range anchors.FindAllSubmatch(f[name], -1) {
			id := html.UnescapeString(string(m[1]))
			if ids[name][id] {
				bad.add(name, 0, fmt.Errorf("two elements have the anchor #%s", id))
			}
			ids[name][id] = true
		}
	}
	for _, name := range f.Names() {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range references.FindAllSubmatch(f[name], -1) {
			bad.add(name, 0, f.checkLink(name, html.UnescapeString(string(m[1])), strings.Contains(string(m[0]), "src="), ids))
		}
		for _, img := range images.FindAll(f[name], -1) {
			if !strings.Contains(string(img), ` alt="`) || strings.Contains(string(img), ` alt=""`) {
				bad.add(name, 0, fmt.Errorf("an image has no description: %s", img))
			}
		}
		bad.add(name, 0, checkLevels(f[name]))
	}
	return bad.err()
}

func (f Files) checkLink(from, link string, loads bool, ids map[string]map[string]bool) error {
	u, err := url.Parse(link)
	if err != nil {
		return fmt.Errorf("%q is no address: %w", link, err)
	}
	if u.Scheme != "" || u.Host != "" {
		if loads {
			return fmt.Errorf("%s would be loaded from outside of the site", link)
		}
		return nil
	}
	if strings.HasPrefix(u.Path, "/") {
		return fmt.Errorf("%s is not relative: the site must work below any path", link)
	}
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
	}
	if _, ok := f[to]; !ok {
		return fmt.Errorf("a link to %s, which is not there", link)
	}
	if ids[to] != nil && !ids[to][u.Fragment] {
		return fmt.Errorf("a link to %s: %s has no such anchor", link, to)
	}
	return nil
}

// checkLevels refuses a page without a first heading, or with a heading two
// levels below the one before, which a screen reader's list would show as a
// gap.
func checkLevels(page []byte) error {
	last := 0
	for i, m := range levels.FindAllSubmatch(page, -1) {
		level := int(m[1][0] - '0')
		if i == 0 && level != 1 {
			return fmt.Errorf("the first heading is of level %d", level)
		}
		if level > last+1 {
			return fmt.Errorf("a heading of level %d follows one of level %d", level, last)
		}
		last = level
	}
	if last == 0 {
		return fmt.Errorf("the page has no heading")
	}
	return nil
}
