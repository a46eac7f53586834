package site

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gomarkdown/markdown/ast"
)

// questionsHeading names the section of a page that asks. Each question is a
// heading of the third level, what leads to it, and its choices. A choice is a
// folded block that opens with its verdict, so that a reader without scripts,
// or on a code host, picks one and reads whether it was right:
//
//	## Questions
//
//	### What does the fence order?
//
//	<details>
//	<summary>One thread before another.</summary>
//	<p>Wrong. That is what a barrier does.</p>
//	</details>
//
// With scripts the choices become a list to choose from (assets/quiz.js).
const questionsHeading = "Questions"

// question is one question of a page.
type question struct {
	text    string
	line    int // of its heading
	html    strings.Builder
	choices []string
	right   int
}

// askQuestions joins the choices of each question of a page into one block, and
// reports whether there are any. What is wrong is told with its line.
func (b *builder) askQuestions(p *page) bool {
	var now *question
	var blocks []ast.Node
	inside, asked := false, 0
	finish := func() {
		if now != nil {
			b.bad.add(p.source, now.line, now.check())
			blocks = append(blocks, &ast.HTMLBlock{Leaf: ast.Leaf{Literal: []byte("<div class=\"quiz\">\n" + now.html.String() + "</div>\n")}})
		}
		now = nil
	}
	section := func() {
		finish()
		if inside && asked == 0 {
			b.bad.add(p.source, headingLine(p.text, "## ", questionsHeading), errors.New("the section asks nothing: a question is a heading, ### and its text"))
		}
	}
	for _, block := range p.blocks {
		heading, isHeading := block.(*ast.Heading)
		html, isHTML := block.(*ast.HTMLBlock)
		switch {
		case isHeading && heading.Level <= 2:
			section()
			inside = plain(heading) == questionsHeading
		case !inside:
		case isHeading:
			finish()
			text := plain(heading)
			now = &question{text: text, line: headingLine(p.text, "### ", text)}
			asked++
		case now != nil && isHTML:
			literal := strings.TrimSpace(string(html.Literal))
			if err := now.add(literal); err != nil {
				b.bad.add(p.source, lineOf(p.text, literal), err)
			}
			continue // finish adds it
		case now != nil && len(now.choices) > 0:
			b.bad.add(p.source, now.line, fmt.Errorf("the question %q goes on after its choices: what leads to them stands before", now.text))
		}
		blocks = append(blocks, block)
	}
	section()
	p.blocks = blocks
	return asked > 0
}

var (
	choices = regexp.MustCompile(`(?s)<details>\s*<summary>(.*?)</summary>\s*(.*?)\s*</details>`)
	verdict = regexp.MustCompile(`(?s)^<p>(Right|Wrong)\. \S.*</p>$`)
)

// add takes choices from a block of HTML.
func (q *question) add(html string) error {
	if rest := strings.TrimSpace(choices.ReplaceAllString(html, "")); rest != "" {
		return fmt.Errorf("the question %q has %q among its choices: a choice is <details>, <summary> and one or more <p>", q.text, rest)
	}
	for _, m := range choices.FindAllStringSubmatch(html, -1) {
		text := strings.TrimSpace(m[1])
		v := verdict.FindStringSubmatch(m[2])
		switch {
		case text == "":
			return fmt.Errorf("a choice of the question %q has no text", q.text)
		case slices.Contains(q.choices, text):
			return fmt.Errorf("the choice %q of the question %q is there twice", text, q.text)
		case v == nil:
			return fmt.Errorf("the choice %q of the question %q must say whether it is right, and why: <p>Right. Because …</p> or <p>Wrong. …</p>", text, q.text)
		case v[1] == "Right":
			q.right++
		}
		q.choices = append(q.choices, text)
		fmt.Fprintf(&q.html, "<details class=\"%s\"><summary>%s</summary>\n%s</details>\n", strings.ToLower(v[1]), text, m[2])
	}
	return nil
}

// check says what a question lacks.
func (q *question) check() error {
	switch {
	case len(q.choices) < 2:
		return fmt.Errorf("the question %q has %d choices: it needs two or more", q.text, len(q.choices))
	case q.right != 1:
		return fmt.Errorf("%d choices of the question %q are right: it must be one", q.right, q.text)
	}
	return nil
}

// headingLine is the line of a heading of this text, without its marks; 0 if
// there is none.
func headingLine(page, mark, text string) int {
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, mark) && strings.NewReplacer("`", "", "*", "", "_", "").Replace(line) == mark+strings.NewReplacer("*", "", "_", "").Replace(text) {
			return i + 1
		}
	}
	return 0
}
