package site

import (
	"html"
	"html/template"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// highlighter colours code. The classes of the spans are one letter each:
// k keyword, t type, f function, n number, s string, c comment.
type highlighter struct {
	lexers map[string]chroma.Lexer
	words  map[string]string // a word of the vocabulary to its address
}

func newHighlighter(words map[string]string) highlighter {
	return highlighter{
		lexers: map[string]chroma.Lexer{
			"go":  chroma.Coalesce(lexers.Get("go")),
			"ptx": chroma.Coalesce(ptxLexer()),
		},
		words: words,
	}
}

// code is a text as HTML; a language that is not known is left plain.
func (h highlighter) code(language, text string) template.HTML {
	lines := h.lines(language, text)
	return template.HTML(strings.Join(lines, "\n"))
}

// lines is a text as HTML, a line each.
func (h highlighter) lines(language, text string) []string {
	text = strings.TrimSuffix(text, "\n")
	lexer := h.lexers[language]
	if lexer == nil {
		return strings.Split(html.EscapeString(text), "\n")
	}
	tokens, err := lexer.Tokenise(nil, text)
	if err != nil {
		return strings.Split(html.EscapeString(text), "\n")
	}
	lines := []string{""}
	dot := false
	for _, token := range tokens.Tokens() {
		class := classOf(token.Type)
		address := ""
		if language == "go" && dot {
			address = h.words[token.Value]
		}
		dot = strings.HasSuffix(token.Value, ".")
		for i, part := range strings.Split(token.Value, "\n") {
			if i > 0 {
				lines = append(lines, "")
			}
			if part != "" {
				lines[len(lines)-1] += span(part, class, address)
			}
		}
	}
	if n := len(lines); n > 1 && lines[n-1] == "" {
		lines = lines[:n-1] // a lexer may end the last line
	}
	return lines
}

func span(text, class, address string) string {
	text = html.EscapeString(text)
	switch {
	case address != "":
		return `<a class="w" href="` + address + `">` + text + `</a>`
	case class != "" && strings.TrimSpace(text) != "":
		return `<span class="` + class + `">` + text + `</span>`
	}
	return text
}

// classOf is the class of a token, "" for plain text.
func classOf(t chroma.TokenType) string {
	switch {
	case t == chroma.KeywordType:
		return "t"
	case t.InCategory(chroma.Keyword):
		return "k"
	case t == chroma.NameFunction, t == chroma.NameBuiltin:
		return "f"
	case t.InSubCategory(chroma.LiteralNumber):
		return "n"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InCategory(chroma.Comment):
		return "c"
	}
	return ""
}
