//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

const ended = `byId("status").textContent.startsWith("Done")`

// exhibitRuns: a bug and its repaired form run in their page, the finding leads
// to the code and to its rule, and a link repeats the run.
func exhibitRuns(t *testing.T, b *tab, s built) {
	b.complaints()
	b.open(t, s.address+"b05.html")
	assert.Contains(t, b.says(t, printed), "[wait-warpgroup]", "the recorded finding stands there")
	b.do(t, chromedp.Click(chromedp.CSS(`#program button[value="b05"]`)))
	b.wait(t, ended)
	assert.Contains(t, b.says(t, printed), "faulty, seed 1")
	assert.Equal(t, "wait-warpgroup", b.says(t, `document.querySelector('#output a[href="rules.html#wait-warpgroup"]').textContent`))
	line := b.says(t, `document.querySelector('#output a[href^="#chain.go:"]').getAttribute("href").slice(1)`)
	assert.Contains(t, b.says(t, `byId("`+line+`").textContent`), "blame b05")

	b.press(t, `#program button[value="b05 -repaired"]`)
	b.wait(t, ended+` && `+printed+`.includes("No findings.")`)
	assert.Equal(t, "go run ./lessons/museum b05 -repaired -seed 1", b.says(t, `byId("command").textContent`))

	b.open(t, s.address+"b05.html?arguments=b05+-repaired&seed=7#run")
	b.wait(t, ended)
	assert.Contains(t, b.says(t, printed), "repaired, seed 7")
	assert.Empty(t, b.complaints())
}

// questionsAnswered: a click answers at once. With the keyboard the arrows only
// choose, and Enter answers.
func questionsAnswered(t *testing.T, b *tab, s built) {
	const first, explained = `document.querySelector(".choices")`, `.querySelectorAll(".why:not([hidden])").length`
	b.complaints()
	b.open(t, s.address+"v2.html")
	assert.Equal(t, "true", b.says(t, `document.querySelector(".quiz").hidden`), "the folded choices have gone")
	b.do(t, chromedp.Click(chromedp.CSS(".choices .choice:nth-child(1) label")))
	b.wait(t, first+`.querySelector("[role=status]").textContent.startsWith("Wrong")`)
	assert.Equal(t, "1", b.says(t, first+explained))

	b.says(t, first+`.querySelector("input").focus()`)
	b.do(t, chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	assert.Equal(t, "1", b.says(t, first+explained), "what is passed is no answer")
	b.do(t, chromedp.KeyEvent(kb.Enter))
	b.wait(t, first+`.querySelector("[role=status]").textContent === "Right"`)
	assert.Equal(t, "2", b.says(t, first+explained))
	assert.Contains(t, b.says(t, `document.activeElement.closest(".choice").textContent`), "Right.")
	assert.Empty(t, b.complaints())
}
