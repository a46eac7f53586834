//go:build browser

package browsertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// axeScript is where npm puts axe-core:
//
//	npm install --no-save --prefix site/browsertest axe-core
const axeScript = "node_modules/axe-core/axe.min.js"

// axeReport runs axe and keeps what is needed to find a violation again.
const axeReport = `axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]}).then((r) => r.violations.map((v) => ({
	id: v.id, impact: v.impact, nodes: v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + " " + (n.any[0]?.message ?? ""))})))`

// axe looks for violations of WCAG 2 that are serious, with everything
// unfolded, and on some pages in the dark theme, too.
func axe(t *testing.T, b *tab, s built) {
	script, err := os.ReadFile(axeScript)
	if err != nil {
		t.Skip("there is no axe-core: npm install --no-save --prefix site/browsertest axe-core")
	}
	type violation struct {
		ID     string   `json:"id"`
		Impact string   `json:"impact"`
		Nodes  []string `json:"nodes"`
	}
	pages, err := filepath.Glob(filepath.Join(s.folder, "*.html"))
	require.NoError(t, err)
	for _, page := range pages {
		name := filepath.Base(page)
		themes := []string{"light"}
		if strings.Contains("index.html v6.html reference.html", name) {
			themes = append(themes, "dark") // the style is the same on the others
		}
		for _, theme := range themes {
			b.open(t, s.address+name)
			b.says(t, "document.documentElement.dataset.theme = '"+theme+"'")
			b.says(t, "document.querySelectorAll('details').forEach((d) => { d.open = true; })")
			b.do(t, chromedp.Evaluate[chromedp.Void](string(script)))
			found, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]violation](axeReport, chromedp.EvalAwaitPromise))
			require.NoError(t, err)
			for _, v := range found {
				serious := v.Impact == "serious" || v.Impact == "critical"
				assert.False(t, serious, "%s, %s: %s (%s): %q", name, theme, v.ID, v.Impact, v.Nodes)
				if !serious {
					t.Logf("%s, %s: %s (%s): %q", name, theme, v.ID, v.Impact, v.Nodes)
				}
			}
		}
	}
}
