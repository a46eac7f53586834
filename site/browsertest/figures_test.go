//go:build browser

package browsertest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// part is an expression for a part of a figure.
func part(figure, selector string) string {
	return `document.querySelector('[data-figure="` + figure + `"] ` + selector + `')`
}

// said is what a figure says of its state.
func said(figure string) string { return part(figure, ".running-said") + ".textContent" }

// turnTo sets a control as a reader would, and lets the figure hear of it.
func turnTo(t *testing.T, b *tab, figure, name, value string) {
	t.Helper()
	field := part(figure, `[name="`+name+`"]`)
	b.says(t, field+`.value = "`+value+`"`)
	b.says(t, field+`.dispatchEvent(new Event("change", {bubbles: true}))`)
}

// press presses a button. The page scrolls smoothly, so that a click at a place
// on the screen might miss it.
func press(t *testing.T, b *tab, figure, button string) {
	t.Helper()
	b.says(t, part(figure, button)+".click()")
}

func figuresRun(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, s.address+"figures.html")
	recorded := b.says(t, said("swizzle"))

	turnTo(t, b, "swizzle", "mode", "none")
	b.wait(t, said("swizzle")+`.includes("takes 8 turns")`)
	b.says(t, part("swizzle", `[data-set="row=5 column=8"]`)+`.dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	b.wait(t, said("swizzle")+`.startsWith("Element (5, 8)")`)
	assert.Equal(t, "5", b.says(t, part("swizzle", `[name="row"]`)+".value"), "the fields follow a click")
	press(t, b, "swizzle", `[type="reset"]`)
	b.wait(t, said("swizzle")+" === `"+recorded+"`")

	// By the keyboard alone.
	b.do(t, chromedp.Focus(chromedp.CSS(`[data-figure="descriptor"] [name="start"]`)), chromedp.KeyEvent(kb.ArrowUp))
	b.wait(t, said("descriptor")+`.startsWith("The descriptor is 0x4000004000010041")`)
	b.wait(t, part("descriptor", `[name="value"]`)+`.value === "0x4000004000010041"`)
	turnTo(t, b, "descriptor", "value", "0x8000002000010040")
	b.wait(t, part("descriptor", `[name="stride"]`)+`.value === "512"`)

	turnTo(t, b, "mbarrier", "example", "hang")
	b.wait(t, "!"+part("mbarrier", ".running-output")+".hidden")
	assert.Contains(t, b.says(t, part("mbarrier", ".running-output")+".textContent"), "stuck: the kernel cannot go on")
	assert.Contains(t, b.says(t, said("mbarrier")), "hangs: this phase never ends")
	press(t, b, "mbarrier", `[data-add="arrive"]`)
	b.wait(t, part("mbarrier", ".running-output")+".hidden")
	assert.Equal(t, "own", b.says(t, part("mbarrier", `[name="example"]`)+".value"))
	turnTo(t, b, "mbarrier", "steps", "leave")
	b.wait(t, said("mbarrier")+`.startsWith("This cannot be shown: there is no step")`)

	press(t, b, "raster", `[data-turn="1"]`)
	b.wait(t, said("raster")+`.startsWith("Wave 4 of 16")`)
	turnTo(t, b, "raster", "wave", "15")
	b.wait(t, said("raster")+`.startsWith("Wave 15")`)
	press(t, b, "raster", `[data-play]`)
	b.wait(t, said("raster")+`.startsWith("Wave 16")`)
	b.wait(t, part("raster", "[data-play]")+`.textContent === "Play"`)
	rows := b.says(t, part("raster", "tbody")+".rows.length")
	assert.Equal(t, "17", rows, "the table has all waves, and their sum")
	assert.Empty(t, b.complaints())
}

func figuresFromDisk(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, "file://"+filepath.ToSlash(s.folder)+"/figures.html")
	turnTo(t, b, "raster", "order", "linear")
	b.wait(t, said("raster")+`.includes("32 columns")`)
	assert.True(t, strings.HasPrefix(b.says(t, part("raster", "svg")+".outerHTML"), "<svg"))
	assert.Empty(t, b.complaints())
}
