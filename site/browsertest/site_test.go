//go:build browser

package browsertest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
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
		{"what a click adds fits, too", statesFit},
		{"every link leads somewhere", linksResolve},
		{"what is copied compiles", copiedText},
		{"a lesson runs in its page", lessonRuns},
		{"the first result comes soon", firstResult},
		{"a link repeats a run, and a run can be cancelled", linkRepeats},
		{"a mistake is explained", mistakeExplained},
		{"the timeline of a run", timelineDrawn},
		{"keys, search and theme", keysSearchTheme},
		{"PTX runs in its page", ptxRuns},
		{"a mistake in PTX or its launch is explained", ptxMistakes},
		{"PTX stays, and a run of it ends", ptxStays},
		{"PTX from a disk", ptxFromDisk},
		{"PTX without scripts", ptxWithoutScripts},
		{"figures run in their page", figuresRun},
		{"figures from a disk", figuresFromDisk},
		{"an exhibit runs in its page", exhibitRuns},
		{"questions are answered", questionsAnswered},
		{"from a disk", fromDisk},
		{"without scripts", withoutScripts},
		{"axe", axe},
		{"screenshots", screenshots},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.forget(t)
			c.test(t, b, s)
		})
	}
}

func pagesLoad(t *testing.T, b *tab, s built) {
	b.width(t, 390)
	for _, name := range s.pages(t) {
		b.complaints()
		b.open(t, s.address+name)
		assert.Empty(t, b.complaints(), name)
		assert.Equal(t, "390", b.says(t, "document.scrollingElement.scrollWidth"), "%s is wider than the screen", name)
	}
}

// copiedText: the copy button of a source gives the file.
func copiedText(t *testing.T, b *tab, s built) {
	b.open(t, "file://"+filepath.ToSlash(s.folder)+"/"+ran+".html")
	want, err := os.ReadFile(filepath.Join(repository, "lessons", ran, "kernel.go"))
	require.NoError(t, err)
	b.says(t, `byId("kernel.go").open = true`)
	// The button's answer stands for a moment only, so it is kept.
	b.says(t, `window.answers = []`)
	b.says(t, `new MutationObserver(() => answers.push(byId("kernel.go").querySelector(".copy").textContent)).observe(byId("kernel.go").querySelector(".copy"), {childList: true})`)
	b.do(t, chromedp.Click(chromedp.CSS(`[id="kernel.go"] .copy`))) // a real click: a script alone may not copy
	b.wait(t, `answers.length > 0`)
	assert.Equal(t, "Copied", b.says(t, `answers[0]`))
	assert.Equal(t, string(want), b.says(t, `byId("kernel.go").querySelector("pre code").textContent`))
}

func fromDisk(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, "file://"+filepath.ToSlash(s.folder)+"/"+ran+".html")
	b.press(t, submit)
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
	t.Cleanup(func() { scripts(false) })
	scripts(true)
	b.open(t, s.address+ran+".html")
	assert.Contains(t, b.says(t, `document.querySelector("#output").textContent`), "within their bounds", "the recorded output stands in its place")
	assert.Equal(t, "true", b.says(t, `document.querySelector("#program").hidden`))
}
