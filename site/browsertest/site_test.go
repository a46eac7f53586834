//go:build browser

package browsertest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSite uses one browser and one build, since both take their time.
func TestSite(t *testing.T) {
	ctx := chromium(t)
	s := build(t)
	b := newTab(t, ctx, s.address)
	for _, c := range []struct {
		name string
		test func(*testing.T, *tab, built)
	}{
		{"every page loads and fits a phone", pagesLoad},
		{"what is copied compiles", copiedText},
		{"a lesson runs in its page", lessonRuns},
		{"a link repeats a run, and a run can be cancelled", linkRepeats},
		{"a mistake is explained", mistakeExplained},
		{"keys, search and theme", keysSearchTheme},
		{"from a disk", fromDisk},
		{"without scripts", withoutScripts},
		{"axe", axe},
		{"screenshots", screenshots},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, b, s) })
	}
}

const (
	submit   = chromedp.CSS("#program [type=submit]")
	verified = `byId("status").textContent.startsWith("Verified")`
	running  = `byId("status").textContent === "Running …"`
	printed  = `byId("output").textContent`
	status   = `byId("status").textContent`
)

func pagesLoad(t *testing.T, b *tab, s built) {
	pages, err := filepath.Glob(filepath.Join(s.folder, "*.html"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	b.do(t, chromedp.EmulateViewport(390, 844))
	for _, page := range pages {
		name := filepath.Base(page)
		b.complaints()
		b.open(t, s.address+name)
		assert.Empty(t, b.complaints(), name)
		assert.Equal(t, "390", b.says(t, "document.scrollingElement.scrollWidth"), "%s is wider than the screen", name)
	}
	b.do(t, chromedp.EmulateViewport(1440, 900))
}

// copiedText: the copy button of a source gives the file.
func copiedText(t *testing.T, b *tab, s built) {
	b.open(t, "file://"+filepath.ToSlash(s.folder)+"/"+ran+".html")
	want, err := os.ReadFile(filepath.Join(repository, "lessons", ran, "kernel.go"))
	require.NoError(t, err)
	b.says(t, `byId("kernel.go").open = true`)
	b.do(t, chromedp.Click(chromedp.CSS(`[id="kernel.go"] .copy`))) // a real click: a script alone may not copy
	b.wait(t, `byId("kernel.go").querySelector(".copy").textContent !== "Copy"`)
	assert.Equal(t, "Copied", b.says(t, `byId("kernel.go").querySelector(".copy").textContent`))
	assert.Equal(t, string(want), b.says(t, `byId("kernel.go").querySelector("pre code").textContent`))
}

func lessonRuns(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, s.address+ran+".html")
	began := time.Now()
	b.do(t, chromedp.Click(submit))
	b.wait(t, verified)
	t.Logf("the first result came %.1f s after the click, loading included; the page says: %s", time.Since(began).Seconds(), b.says(t, status))
	assert.Contains(t, b.says(t, printed), "right: 52800 elements within their bounds")

	began = time.Now()
	b.do(t, chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(kb.ModifierShift)))
	b.wait(t, running)
	b.wait(t, verified)
	t.Logf("the second, by Shift+Enter, after %.1f s", time.Since(began).Seconds())
	assert.Empty(t, b.complaints())
}

func linkRepeats(t *testing.T, b *tab, s built) {
	b.open(t, s.address+ran+".html?m=64&n=128&k=64&seed=9&stages=2#run")
	b.wait(t, verified)
	assert.Contains(t, b.says(t, printed), "C[64 x 128]")
	assert.Contains(t, b.says(t, printed), "stages 2,")
	assert.Contains(t, b.says(t, `byId("command").textContent`), "-seed 9")

	b.open(t, s.address+ran+".html?m=2000&n=2000&k=2000")
	b.wait(t, running)
	b.do(t, chromedp.Click(chromedp.CSS("#cancel")))
	assert.Equal(t, "Cancelled", b.says(t, status))
}

func mistakeExplained(t *testing.T, b *tab, s built) {
	b.open(t, s.address+ran+".html?stages=9#run")
	b.wait(t, `byId("status").textContent.startsWith("Not right")`)
	assert.Contains(t, b.says(t, printed), "of shared memory")
	assert.Contains(t, b.says(t, `byId("output").querySelector("a").hash`), "#kernel.go:", "the line is a link")
}

func keysSearchTheme(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, s.address+"v3.html")
	b.do(t, chromedp.KeyEvent("/"), chromedp.WaitVisible(chromedp.CSS("#query")), chromedp.SendKeys(chromedp.CSS("#query"), kb.Backspace+"producer drain"))
	b.wait(t, `[...document.querySelectorAll("#results a")].some((a) => a.hash === "#the-end-of-a-cta")`)
	b.do(t, chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible(chromedp.CSS("#search")))
	b.do(t, chromedp.KeyEvent("?"), chromedp.WaitVisible(chromedp.CSS("#help")), chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible(chromedp.CSS("#help")))

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

func fromDisk(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, "file://"+filepath.ToSlash(s.folder)+"/"+ran+".html")
	b.do(t, chromedp.Click(submit))
	b.wait(t, verified)
	b.do(t, chromedp.Click(chromedp.CSS("#open-search")), chromedp.SendKeys(chromedp.CSS("#query"), "wgmma"))
	b.wait(t, `document.querySelectorAll("#results a").length > 5`)
	assert.Empty(t, b.complaints())
}

func withoutScripts(t *testing.T, b *tab, s built) {
	scripts := func(off bool) {
		_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
		require.NoError(t, err)
	}
	scripts(true)
	b.open(t, s.address+ran+".html")
	assert.Contains(t, b.says(t, `document.querySelector("#output").textContent`), "within their bounds", "the recorded output stands in its place")
	assert.Equal(t, "true", b.says(t, `document.querySelector("#program").hidden`))
	scripts(false)
}
