//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

func keysSearchTheme(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, s.address+"v3.html")
	b.do(t, chromedp.KeyEvent("/"), chromedp.WaitVisible(chromedp.CSS("#query")), chromedp.SendKeys(chromedp.CSS("#query"), kb.Backspace+"producer drain"))
	b.wait(t, `[...document.querySelectorAll("#results a")].some((a) => a.hash === "#the-end-of-a-cta")`)
	b.do(t, chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible(chromedp.CSS("#search")))
	b.do(t, chromedp.KeyEvent("?"), chromedp.WaitVisible(chromedp.CSS("#help")), chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible(chromedp.CSS("#help")))

	// The field of a dialog that was just closed keeps the focus until the next
	// frame. A key that comes before is a command, not text.
	b.says(t, `openSearch()`)
	b.says(t, `(byId("search").close(), document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "?", bubbles: true})))`)
	b.do(t, chromedp.WaitVisible(chromedp.CSS("#help")), chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible(chromedp.CSS("#help")))

	const ground = "getComputedStyle(document.body).backgroundColor"
	const theme = "document.documentElement.dataset.theme"
	light := b.says(t, ground)
	b.do(t, chromedp.KeyEvent("t"), chromedp.KeyEvent("t"))
	assert.Equal(t, "dark", b.says(t, theme))
	assert.NotEqual(t, light, b.says(t, ground))
	b.do(t, chromedp.KeyEvent("n"))
	b.wait(t, `location.pathname.endsWith("/v4.html") && document.readyState === "complete"`)
	assert.Equal(t, "dark", b.says(t, theme), "the choice is kept")
	b.do(t, chromedp.KeyEvent("p"))
	b.wait(t, `location.pathname.endsWith("/v3.html") && document.readyState === "complete"`)
	b.says(t, `localStorage.removeItem("theme")`)
	assert.Empty(t, b.complaints())
}
