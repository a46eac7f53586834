//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// state is a page after a click: what its scripts have added must be as good as
// what was written.
type state struct {
	page, button, until string
	part                string // what the click adds to
	example             string // of the page for PTX
}

func states() []state {
	return []state{
		{page: "v3.html#run", part: "section.run", button: "#program [type=submit]", until: `!byId("ran-body").hidden`},
		{page: "v2.html#questions", part: ".choices", button: ".choices .choice:nth-child(1) label", until: `document.querySelector(".choices [role=status]").textContent`},
		{page: "ptx.html#result-title", part: ".bench-result", example: "bytes", button: "#run-ptx", until: found},
		{page: "figures.html#raster-order", part: "[data-figure=raster]", button: `[data-figure="raster"] [data-turn="1"]`, until: said("raster") + `.startsWith("Wave 4 of 16")`},
		{page: "b05.html#run", part: "section.run", button: "#program [type=submit]", until: ended},
	}
}

// reach opens the page and brings it into its state.
func (b *tab) reach(t *testing.T, s built, to state) {
	t.Helper()
	b.do(t, chromedp.Navigate("about:blank")) // alone, an anchor would not load the page again
	b.open(t, s.address+to.page)
	if to.example != "" {
		choose(t, b, to.example)
	}
	if to.button != "" {
		b.do(t, chromedp.Click(chromedp.CSS(to.button)))
		b.wait(t, to.until)
	}
}

// statesFit: what a click adds fits a phone, too.
func statesFit(t *testing.T, b *tab, s built) {
	b.width(t, 390)
	for _, to := range states() {
		b.complaints()
		b.reach(t, s, to)
		assert.Equal(t, "390", b.says(t, "document.scrollingElement.scrollWidth"), "%s is wider than the screen", to.page)
		assert.Empty(t, b.complaints(), to.page)
	}
}
