//go:build browser

package browsertest

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linksOf is what a page refers to and what can be referred to in it, with what
// its scripts added.
const linksOf = `({
	to: [...document.querySelectorAll("[href], [src]")].map((e) => new URL(e.getAttribute("href") ?? e.getAttribute("src"), location).href),
	ids: [...document.querySelectorAll("[id]")].map((e) => e.id)})`

// linksResolve: every link and anchor of every page leads somewhere. Package
// site checks what it wrote; this checks what its scripts made of it.
func linksResolve(t *testing.T, b *tab, s built) {
	type links struct {
		To  []string `json:"to"`
		IDs []string `json:"ids"`
	}
	found := map[string]links{}
	ids := map[string]map[string]bool{}
	for _, page := range s.pages(t) {
		b.open(t, s.address+page)
		l, err := chromedp.Run(b.ctx, chromedp.Evaluate[links](linksOf))
		require.NoError(t, err)
		found[page], ids[page] = l, map[string]bool{"": true}
		for _, id := range l.IDs {
			assert.False(t, ids[page][id], "%s has #%s twice", page, id)
			ids[page][id] = true
		}
	}
	checked := 0
	for page, l := range found {
		for _, to := range l.To {
			rest, inside := strings.CutPrefix(to, s.address)
			if !inside {
				assert.Regexp(t, "^(https|data|blob):", to, page)
				continue
			}
			u, err := url.Parse(rest)
			require.NoError(t, err)
			if u.Path == "" {
				u.Path = "index.html"
			}
			if !assert.FileExists(t, filepath.Join(s.folder, filepath.FromSlash(u.Path)), "%s: %s", page, rest) {
				continue
			}
			if ids[u.Path] != nil {
				assert.True(t, ids[u.Path][u.Fragment], "%s: %s has no such anchor", page, rest)
			}
			checked++
		}
	}
	assert.Greater(t, checked, 1000)
}

// pages lists the pages by their path.
func (s built) pages(t *testing.T) []string {
	t.Helper()
	var list []string
	require.NoError(t, filepath.WalkDir(s.folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		name, err := filepath.Rel(s.folder, path)
		list = append(list, filepath.ToSlash(name))
		return err
	}))
	require.NotEmpty(t, list)
	return list
}
