//go:build browser

package browsertest

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	found    = `byId("status").textContent.includes("indings under") || byId("status").textContent.includes("inding under")`
	selected = `byId("ptx-text").value.slice(byId("ptx-text").selectionStart, byId("ptx-text").selectionEnd)`
)

// choose picks an example, as a reader does.
func choose(t *testing.T, b *tab, name string) {
	b.says(t, `(byId("example").value = "`+name+`", byId("example").dispatchEvent(new Event("change")))`)
}

// write replaces the text of an editor, as typing does.
func write(t *testing.T, b *tab, id, text string) {
	quoted, err := json.Marshal(text)
	require.NoError(t, err)
	b.says(t, `(byId("`+id+`").value = `+string(quoted)+`, byId("`+id+`").dispatchEvent(new Event("input")))`)
}

// ptxRuns: every example leads to what was recorded of it, and findings lead to
// their lines.
func ptxRuns(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, s.address+"ptx.html")
	b.says(t, `localStorage.clear()`)
	began := time.Now()
	b.do(t, chromedp.Click(chromedp.CSS("#run-ptx")))
	b.wait(t, found)
	t.Logf("the first result came %.1f s after the click, loading included; the page says: %s", time.Since(began).Seconds(), b.says(t, status))
	assert.Contains(t, b.says(t, status), "No findings under 1 seed")
	assert.Contains(t, b.says(t, `byId("result").textContent`), "c00cb36458b9e83a", "the digest of the sums")

	choose(t, b, "bytes")
	assert.Contains(t, b.says(t, `byId("result").textContent`), "What was recorded:")
	b.do(t, chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(kb.ModifierShift)))
	b.wait(t, found)
	assert.Contains(t, b.says(t, status), "2 findings under 3 seeds")
	assert.Equal(t, "2", b.says(t, `document.querySelectorAll(".findings > li").length`))
	b.press(t, ".findings li .at a")
	assert.Contains(t, b.says(t, selected), "expect_tx", "the line is selected")
	assert.Equal(t, "ptx-text", b.says(t, `document.activeElement.id`))
	assert.Equal(t, "1", b.says(t, `document.querySelectorAll(".stripe.error.current").length`))
	line := b.says(t, `document.querySelector(".findings li .at a").textContent`)
	b.do(t, chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(kb.ModifierCtrl)), chromedp.KeyEvent(kb.Enter))
	assert.NotEqual(t, line, b.says(t, `document.querySelector(".findings li .at a").textContent`), "a place moves with its line")
	b.press(t, ".findings li .at a")
	assert.Contains(t, b.says(t, selected), "expect_tx", "and is still found")
	assert.Empty(t, b.complaints())
}

// ptxMistakes: what cannot be run is explained at its line, in either text.
func ptxMistakes(t *testing.T, b *tab, s built) {
	b.open(t, s.address+"ptx.html")
	choose(t, b, "add")
	write(t, b, "ptx-text", strings.Replace(b.says(t, `byId("ptx-text").value`), "add.f32 ", "tcgen05.mma ", 1))
	b.press(t, "#run-ptx")
	b.wait(t, `byId("status").textContent.startsWith("Not run")`)
	assert.Contains(t, b.says(t, `byId("result").textContent`), "tcgen05.mma: needs an architecture-specific target")
	b.press(t, ".findings a")
	assert.Contains(t, b.says(t, selected), "tcgen05.mma")

	choose(t, b, "add")
	write(t, b, "launch-text", "{\n  \"grid\": 1,\n  \"blocks\": 32\n}\n")
	b.press(t, "#run-ptx")
	b.wait(t, `byId("status").textContent.startsWith("Not run")`)
	b.press(t, ".findings a")
	assert.Equal(t, "launch-text", b.says(t, `document.activeElement.id`))
	assert.Contains(t, b.says(t, `document.querySelector(".findings a").textContent`), "Launch, line 3,")
}

// endless counts without an end, so until the limit of instructions, and again
// for each seed: much longer than the page allows.
const endless = ".version 8.0\n.target sm_90a\n.address_size 64\n.global .u32 g;\n.visible .entry k()\n{\n" +
	"\t.reg .u32 %a;\n\tmov.u32 %a, 0;\nL:\n\tadd.u32 %a, %a, 1;\n\tst.global.u32 [g], %a;\n\tbra L;\n}\n"

// ptxStays: what is written survives a reload and travels by a link; a run that
// does not end can be cancelled, and ends by itself.
func ptxStays(t *testing.T, b *tab, s built) {
	b.open(t, s.address+"ptx.html")
	write(t, b, "ptx-text", endless)
	seeds := strings.TrimSuffix(strings.Repeat("1, ", 100), ", ")
	write(t, b, "launch-text", `{"grid": 1, "block": 32, "seeds": [`+seeds+`]}`)
	b.open(t, s.address+"index.html")
	b.open(t, s.address+"ptx.html")
	assert.Equal(t, endless, b.says(t, `byId("ptx-text").value`))
	assert.Equal(t, "own", b.says(t, `byId("example").value`))

	b.press(t, "#run-ptx")
	b.wait(t, running)
	b.press(t, "#cancel")
	b.wait(t, status+` === "Cancelled"`)
	// The page's clock runs ten times as fast, so that the test need not wait.
	b.says(t, `window.setTimeout = ((real) => (f, ms, ...more) => real(f, ms / 10, ...more))(setTimeout)`)
	b.press(t, "#run-ptx")
	b.wait(t, running)
	b.wait(t, `byId("status").textContent.startsWith("Stopped: the limit of 20 s is up")`)

	b.do(t, chromedp.Click(chromedp.CSS("#share")))
	b.wait(t, `byId("status").textContent.startsWith("The link is")`)
	link := b.says(t, "location.href")
	require.Contains(t, link, "#ptx=")
	b.says(t, `localStorage.clear()`)
	b.do(t, chromedp.Navigate("about:blank"), chromedp.Navigate(link)) // alone, only the fragment would change
	b.wait(t, `typeof byId === "function" && byId("status").textContent.startsWith("This came with the link")`)
	assert.Equal(t, endless, b.says(t, `byId("ptx-text").value`))
	write(t, b, "ptx-text", endless+"// mine")
	assert.Equal(t, "", b.says(t, `location.hash`), "what is edited is no longer the link's")

	b.says(t, `byId("ptx-text").value = Array.from(crypto.getRandomValues(new Uint8Array(30000)), (b) => b.toString(16)).join("")`)
	b.do(t, chromedp.Click(chromedp.CSS("#share")))
	b.wait(t, `byId("status").textContent.startsWith("The texts are too long for a link")`)
	b.says(t, `localStorage.clear()`)
}

// ptxWithoutScripts: the examples and what was recorded of them are there.
func ptxWithoutScripts(t *testing.T, b *tab, s built) {
	scripts := func(off bool) {
		_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
		require.NoError(t, err)
	}
	t.Cleanup(func() { scripts(false) })
	scripts(true)
	b.open(t, s.address+"ptx.html")
	assert.Equal(t, "true", b.says(t, `document.querySelector("#bench").hidden`))
	assert.Contains(t, b.says(t, `document.querySelector("#example-fence .recorded").textContent`), "[proxy-fence]")
	b.do(t, chromedp.Click(chromedp.CSS("#example-fence summary")))
	assert.Equal(t, "true", b.says(t, `document.querySelector("#example-fence").open`))
}

// ptxFromDisk: the page runs PTX from a disk, too.
func ptxFromDisk(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, "file://"+filepath.ToSlash(s.folder)+"/ptx.html")
	choose(t, b, "fence")
	b.press(t, "#run-ptx")
	b.wait(t, found)
	assert.Contains(t, b.says(t, status), "1 finding under 3 seeds")
	assert.Empty(t, b.complaints())
}
