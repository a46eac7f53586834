//go:build browser

package browsertest

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// timelineDrawn: a run leaves a timeline that can be moved through with the
// keyboard alone, and a run that leaves none says so.
func timelineDrawn(t *testing.T, b *tab, s built) {
	const (
		drawn  = `!byId("ran-body").hidden`
		chosen = `byId("ran-now").querySelector("h4")?.textContent`
		view   = `shown.from + " " + shown.to`
		said   = `byId("ran-about").textContent`
	)
	b.complaints()
	b.open(t, "file://"+filepath.ToSlash(s.folder)+"/"+ran+".html")
	b.press(t, submit)
	b.wait(t, drawn)
	assert.Contains(t, b.says(t, said), "matmul_v3: cluster 1 of 4")
	assert.Equal(t, "true", b.says(t, `new TextDecoder().decode(shown.file).endsWith("]}\n")`), "the file is whole")
	assert.Contains(t, b.says(t, `byId("ran-shares").textContent`), "tensor core, warpgroup 0")
	assert.Contains(t, b.says(t, `byId("ran-waits").rows[0].textContent`), "empty[0]", "the longest wait of all is the producer's, for a stage")

	whole := b.says(t, view)
	at := b.says(t, "location.href")
	b.says(t, `byId("ran-picture").focus()`)
	b.do(t, chromedp.KeyEvent("+"), chromedp.KeyEvent(kb.ArrowRight))
	assert.NotEqual(t, whole, b.says(t, view))
	b.do(t, chromedp.KeyEvent("0"))
	assert.Equal(t, whole, b.says(t, view))
	b.do(t, chromedp.KeyEvent(kb.ArrowDown))
	assert.NotEqual(t, "undefined", b.says(t, chosen), "the arrow chose a bar of the first row")
	assert.Equal(t, at, b.says(t, "location.href"), "and did not go to the next lesson")
	b.says(t, `choose(shown.rows.flatMap((r) => r.slices).find((s) => s.name === "wait empty[0]" && s.comes.length))`)
	assert.Equal(t, ran+"/kernel.go:59", b.says(t, `byId("ran-now").querySelector("a").textContent`), "who ended the wait, as a link to the line")
	b.do(t, chromedp.KeyEvent(kb.Enter))
	assert.Equal(t, "arrive empty[0]", b.says(t, chosen))

	b.says(t, `form.elements.stages.value = 9`)
	b.press(t, submit)
	b.wait(t, `byId("status").textContent.startsWith("Not right")`)
	b.wait(t, said+`.startsWith("This run left no timeline")`)
	assert.Equal(t, "true", b.says(t, `byId("ran-body").hidden`))
	assert.Empty(t, b.complaints())
}
