package site

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	page := func(body string) Files {
		return Files{"a.html": []byte(`<h1 id="a">A</h1>` + body), "b.html": []byte(`<h1 id="x y">B</h1>`), "s.css": nil}
	}
	require.NoError(t, page(`<a href="b.html#x%20y">b</a> <a href="#a">a</a> <a href="https://example.org/#z">z</a> <img alt="A" src="s.css">`).Check())
	for _, c := range []struct{ why, body, want string }{
		{"a dead link", `<a href="c.html">c</a>`, "a.html: a link to c.html, which is not there"},
		{"a dead anchor", `<a href="b.html#z">b</a>`, "b.html has no such anchor"},
		{"an anchor twice", `<p id="a"></p>`, "two elements have the anchor #a"},
		{"an absolute link", `<a href="/b.html">b</a>`, "is not relative"},
		{"a script from elsewhere", `<script src="https://example.org/x.js"></script>`, "would be loaded from outside"},
		{"an image without text", `<img alt="" src="s.css">`, "an image has no description"},
		{"a level is skipped", `<h3>c</h3>`, "a heading of level 3 follows one of level 1"},
	} {
		assert.ErrorContains(t, page(c.body).Check(), c.want, c.why)
	}
	assert.ErrorContains(t, Files{"a.html": []byte("<h2>x</h2>")}.Check(), "the first heading is of level 2")
	assert.ErrorContains(t, Files{"a.html": nil}.Check(), "the page has no heading")
}
