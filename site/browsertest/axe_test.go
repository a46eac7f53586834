//go:build browser

package browsertest

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// axeScript is where npm puts axe-core:
//
//	npm install --no-save --prefix site/browsertest axe-core
//
// .ci/run pins its version.
const axeScript = "node_modules/axe-core/axe.min.js"

// axeReport runs axe and keeps what is needed to find a violation again. The
// rules on colour take most of the time.
const axeReport = `axe.run(document.querySelector(%[1]q), {resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"],
	rules: {"color-contrast": {enabled: %[2]t}, "link-in-text-block": {enabled: %[2]t}}}).then((r) => r.violations.map((v) => ({
	id: v.id, impact: v.impact, nodes: v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + " " + (n.any[0]?.message ?? ""))})))`

// exhibit is a page of which there are many, alike but for their words.
var exhibit = regexp.MustCompile(`^[br]\d\d\.html$`)

// axe looks for violations of WCAG 2 that are serious, with everything
// unfolded: on every page, in the dark theme on one of each kind, and in what a
// click adds to in both themes. It takes the longest of all tests, so two windows
// share the work.
func axe(t *testing.T, b *tab, s built) {
	data, err := os.ReadFile(axeScript)
	if err != nil {
		lacking(t, "there is no axe-core: npm install --no-save --prefix site/browsertest axe-core")
	}
	script := string(data)
	alsoDark := []string{"b05.html", "figures.html", "index.html", "ptx.html", "reference.html", "v4.html"}
	var todo []func(*testing.T, *tab)
	for _, page := range s.pages(t) {
		todo = append(todo, func(t *testing.T, b *tab) {
			b.open(t, s.address+page)
			dark := slices.Contains(alsoDark, page)
			violations(t, b, script, look{page, "html", "light", dark || !exhibit.MatchString(page)})
			if dark {
				violations(t, b, script, look{page, "html", "dark", true})
			}
		})
	}
	for _, to := range states() {
		todo = append(todo, func(t *testing.T, b *tab) {
			b.reach(t, s, to)
			violations(t, b, script, look{to.page, to.part, "light", true})
			violations(t, b, script, look{to.page, to.part, "dark", true})
		})
	}
	next := make(chan func(*testing.T, *tab), len(todo))
	for _, do := range todo {
		next <- do
	}
	close(next)
	for _, window := range []string{"one window", "another"} {
		t.Run(window, func(t *testing.T) {
			t.Parallel()
			b := b.window(t)
			for do := range next {
				do(t, b)
			}
		})
	}
}

// look is what axe looks at: a part of a page in a theme, with the rules on
// colour or without.
type look struct {
	page, part, theme string
	colours           bool
}

// violations runs axe on a page that is open. Those that are not serious are
// only said.
func violations(t *testing.T, b *tab, script string, at look) {
	t.Helper()
	type violation struct {
		ID     string   `json:"id"`
		Impact string   `json:"impact"`
		Nodes  []string `json:"nodes"`
	}
	b.says(t, "document.documentElement.dataset.theme = '"+at.theme+"'")
	b.says(t, "document.querySelectorAll('details').forEach((d) => { d.open = true; })")
	b.do(t, chromedp.Evaluate[chromedp.Void](script))
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]violation](fmt.Sprintf(axeReport, at.part, at.colours), chromedp.EvalAwaitPromise))
	require.NoError(t, err, "%v", at)
	for _, v := range found {
		if v.Impact == "serious" || v.Impact == "critical" {
			assert.Fail(t, v.ID, "%v: %s: %q", at, v.Impact, v.Nodes)
		} else {
			t.Logf("%v: %s (%s): %q", at, v.ID, v.Impact, v.Nodes)
		}
	}
}
