package site

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/lessons"
)

// asked renders a page of one text, with its questions.
func asked(t *testing.T, text string) (html string, some bool, bad problems) {
	p, err := loadPage(tree(t, map[string]string{"docs/page.md": text}), "docs/page.md", "page.html")
	require.NoError(t, err)
	b := &builder{files: Files{}, hl: newHighlighter(nil)}
	some = b.askQuestions(p)
	for _, r := range b.rows(p) {
		html += string(r.Before + r.Code + r.After)
	}
	return html, some, b.bad
}

const (
	yes = "<details>\n<summary>Yes</summary>\n<p>Right. It is.</p>\n</details>\n"
	no  = "<details>\n<summary>No, <code>x</code></summary>\n<p>Wrong. It is not.</p>\n</details>\n"
)

func TestQuiz(t *testing.T) {
	html, some, bad := asked(t, "# P\n\n## Questions\n\nChoose.\n\n### Is `x` it?\n\nThis leads to it.\n\n"+no+"\n"+yes+"\n### And y?\n\n"+yes+no+"\n## Exercises\n\n"+yes)
	require.NoError(t, bad.err())
	assert.True(t, some)
	assert.Equal(t, 2, strings.Count(html, `<div class="quiz">`), "one block for each question")
	assert.Contains(t, html, "<div class=\"quiz\">\n<details class=\"wrong\"><summary>No, <code>x</code></summary>\n<p>Wrong. It is not.</p></details>\n<details class=\"right\"><summary>Yes</summary>")
	assert.Contains(t, html, "<p>This leads to it.</p>")
	assert.Contains(t, html, "<details>\n<summary>Yes</summary>", "other sections are left alone")

	_, some, bad = asked(t, "# P\n\n## More\n\n### Is it?\n\n"+yes)
	assert.NoError(t, bad.err())
	assert.False(t, some, "a page without the section asks nothing")
}

// TestQuizMistakes: a malformed question is told with its line.
func TestQuizMistakes(t *testing.T) {
	const head = "# P\n\n## Questions\n\n### Is `x_y` it?\n\n"
	for _, c := range []struct{ why, text, want string }{
		{"no question", "# P\n\n## Questions\n\nText.\n", "docs/page.md:3: the section asks nothing"},
		{"no question, and a section behind it", "# P\n\n## Questions\n\n## More\n", "docs/page.md:3: the section asks nothing"},
		{"no choices", head + "Text.\n", `docs/page.md:5: the question "Is x_y it?" has 0 choices`},
		{"one choice", head + yes, `docs/page.md:5: the question "Is x_y it?" has 1 choices`},
		{"none is right", head + no + strings.Replace(no, "No", "Never", 1), "docs/page.md:5: 0 choices of the question"},
		{"two are right", head + yes + strings.Replace(yes, "Yes", "Yes!", 1), "docs/page.md:5: 2 choices of the question"},
		{"a choice twice", head + yes + yes + no, "docs/page.md:7: the choice \"Yes\" of the question \"Is x_y it?\" is there twice"},
		{"no verdict", head + no + strings.Replace(yes, "Right. ", "", 1), "must say whether it is right"},
		{"a verdict without a reason", head + no + strings.Replace(yes, "Right. It is.", "Right.", 1), "must say whether it is right"},
		{"no explanation", head + no + "<details>\n<summary>Yes</summary>\n</details>\n", "must say whether it is right"},
		{"no text", head + no + strings.Replace(yes, "Yes", "", 1), "has no text"},
		{"something else", head + no + "<p>Or</p>\n" + yes, `has "<p>Or</p>" among its choices`},
		{"text behind the choices", head + no + yes + "\nText.\n", "goes on after its choices"},
	} {
		t.Run(c.why, func(t *testing.T) {
			_, _, bad := asked(t, c.text)
			require.Error(t, bad.err())
			assert.Contains(t, bad.err().Error(), c.want)
		})
	}
}

// TestEveryLessonAsks two or three questions, of three choices or more, and the
// right one is not always in the same place.
func TestEveryLessonAsks(t *testing.T) {
	places := map[int]int{}
	for _, l := range lessons.All() {
		p, err := loadPage(repository, l.Folder+"/lesson.md", l.Name+".html")
		require.NoError(t, err)
		b := &builder{}
		assert.True(t, b.askQuestions(p), "%s asks nothing", l.Name)
		require.NoError(t, b.bad.err())
		count := 0
		for _, block := range p.blocks {
			leaf := block.AsLeaf()
			if leaf == nil || !strings.Contains(string(leaf.Literal), `<div class="quiz">`) {
				continue
			}
			count++
			list := strings.Split(string(leaf.Literal), "<details class=")[1:]
			assert.GreaterOrEqual(t, len(list), 3, "%s: choices", l.Name)
			for i, one := range list {
				if strings.HasPrefix(one, `"right"`) {
					places[i]++
				}
			}
		}
		assert.True(t, count == 2 || count == 3, "%s asks %d questions", l.Name, count)
	}
	assert.Greater(t, len(places), 2, "the right choice stands in different places: %v", places)
}
