package ptx

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// kind classifies a token.
type kind uint8

const (
	eof    kind = iota
	word        // a name or the first part of an opcode: "add", "%r1", "$L_2", "_"
	dotted      // a directive, type or modifier with its dot: ".reg", ".2d", ".shared::cta"
	number      // undecoded: "0x1F", "5U", "0f3F800000", "8.6"
	quoted      // a string with its quotes
	punct       // one or two characters of punctuation
	bad         // text is the message
)

// token is one lexical element; text is a piece of the input except for bad
// tokens.
type token struct {
	kind kind
	text string
	pos  Pos
}

// end is the position just behind the token.
func (t token) end() Pos { return Pos{t.pos.Line, t.pos.Col + len(t.text)} }

// lexer splits PTX text into tokens (PTX 4.1 to 4.5). Columns count bytes.
type lexer struct {
	text  string
	i     int // next byte
	line  int
	start int // offset of the first byte of the line
}

// lex returns all tokens of text, the last one being eof or bad.
func lex(text string) []token {
	l := &lexer{text: text, line: 1}
	toks := make([]token, 0, len(text)/6+1)
	for {
		var prev token
		if len(toks) > 0 {
			prev = toks[len(toks)-1]
		}
		t := l.next(prev)
		toks = append(toks, t)
		if t.kind == eof || t.kind == bad {
			return toks
		}
	}
}

func (l *lexer) pos() Pos { return Pos{l.line, l.i - l.start + 1} }

// peek is the byte at offset n from the next one, 0 past the end.
func (l *lexer) peek(n int) byte {
	if l.i+n < len(l.text) {
		return l.text[l.i+n]
	}
	return 0
}

// next returns one token; prev is the token before it, which decides whether
// "%" is the remainder operator or starts a name.
func (l *lexer) next(prev token) token {
	pos, msg := l.skipSpace()
	if msg != "" {
		return token{bad, msg, pos}
	}
	pos = l.pos()
	if l.i >= len(l.text) {
		return token{eof, "", pos}
	}
	begin, c := l.i, l.text[l.i]
	k := punct
	switch {
	case isDigit(c):
		k = number
		l.number()
	case c == '.' && isWordByte(l.peek(1)):
		k = dotted
		l.i++
		l.modifier()
	case c == '"':
		k = quoted
		n := strings.IndexAny(l.text[l.i+1:], "\"\n")
		if n < 0 || l.text[l.i+1+n] == '\n' {
			return token{bad, "this string has no closing quote on its line", pos}
		}
		l.i += n + 2
	case c == '%' && (prev.kind == number || prev.text == ")"):
		l.i++
	case isLetter(c), c == '_', (c == '$' || c == '%') && isWordByte(l.peek(1)):
		k = word
		l.i++
		l.wordBytes()
	case strings.IndexByte("(){}[]<>,;:=+-*/%~!&|^@?", c) >= 0:
		l.i++
		if l.i < len(l.text) && isOperator(l.text[begin:l.i+1]) {
			l.i++
		}
	default:
		r, _ := utf8.DecodeRuneInString(l.text[l.i:])
		return token{bad, fmt.Sprintf("found the character %q, which PTX does not use outside comments and strings", r), pos}
	}
	return token{k, l.text[begin:l.i], pos}
}

// skipSpace skips blanks, comments and preprocessor lines ("# 1 "file"").
// For a comment that never ends it returns its position and a message.
func (l *lexer) skipSpace() (Pos, string) {
	for l.i < len(l.text) {
		switch c := l.text[l.i]; {
		case c == '\n':
			l.newline()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.i++
		case c == '/' && l.peek(1) == '/', c == '#' && l.i == l.start:
			l.i += lineLength(l.text[l.i:])
		case c == '/' && l.peek(1) == '*':
			pos := l.pos()
			n := strings.Index(l.text[l.i+2:], "*/")
			if n < 0 {
				return pos, "this comment is never closed; end it with */"
			}
			for end := l.i + n + 4; l.i < end; {
				if l.text[l.i] == '\n' {
					l.newline()
				} else {
					l.i++
				}
			}
		default:
			return Pos{}, ""
		}
	}
	return Pos{}, ""
}

func (l *lexer) newline() {
	l.i++
	l.line++
	l.start = l.i
}

func (l *lexer) wordBytes() {
	for isWordByte(l.peek(0)) {
		l.i++
	}
}

// modifier takes the rest of a dotted token, "::" included, as in
// ".mbarrier::complete_tx::bytes".
func (l *lexer) modifier() {
	l.wordBytes()
	for l.peek(0) == ':' && l.peek(1) == ':' && isWordByte(l.peek(2)) {
		l.i += 2
		l.wordBytes()
	}
}

// number takes a constant, which the parser decodes.
func (l *lexer) number() {
	begin := l.i
	l.wordBytes()
	if w := l.text[begin:l.i]; len(w) > 1 && w[0] == '0' && isLetter(w[1]) && w[1] != 'e' && w[1] != 'E' {
		return // a radix or bit-pattern prefix
	}
	if l.peek(0) == '.' && !isLetter(l.peek(1)) {
		l.i++
		l.wordBytes()
	}
	if last := l.text[l.i-1]; (last == 'e' || last == 'E') && (l.peek(0) == '+' || l.peek(0) == '-') && isDigit(l.peek(1)) {
		l.i++
		l.wordBytes()
	}
}

func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isLetter(c byte) bool   { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '$' }

// isOperator reports whether s is an operator of two characters.
func isOperator(s string) bool {
	switch s {
	case "<<", ">>", "<=", ">=", "==", "!=", "&&", "||":
		return true
	}
	return false
}

func lineLength(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}
