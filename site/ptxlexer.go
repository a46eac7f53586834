package site

import "github.com/alecthomas/chroma/v2"

// ptxLexer reads PTX (PTX ISA, section 4: syntax).
func ptxLexer() chroma.Lexer {
	return chroma.MustNewLexer(
		&chroma.Config{Name: "PTX", Filenames: []string{"*.ptx"}},
		func() chroma.Rules {
			return chroma.Rules{"root": {
				{Pattern: `\s+`, Type: chroma.TextWhitespace},
				{Pattern: `//[^\n]*`, Type: chroma.CommentSingle},
				{Pattern: `"[^"\n]*"`, Type: chroma.LiteralString},
				{Pattern: `@!?%\w+`, Type: chroma.Keyword},         // a guard
				{Pattern: `%\w+(\.\w+)?|\$\w+`, Type: chroma.Name}, // a register, a label
				{Pattern: `0[fFdD][0-9a-fA-F]+|0[xX][0-9a-fA-F]+`, Type: chroma.LiteralNumber},
				{Pattern: `\.(?:[busf]\d+x?\d?|bf16x?2?|pred)\b`, Type: chroma.KeywordType},
				{Pattern: `\.\w+`, Type: chroma.Keyword},                          // a directive
				{Pattern: `[a-z]\w*(?:(?:\.|::)\w+)+`, Type: chroma.NameFunction}, // an opcode with its qualifiers
				{Pattern: `(?:bra|ret|exit|trap|brkpt)\b`, Type: chroma.NameFunction},
				{Pattern: `-?\d+(?:\.\d+)*`, Type: chroma.LiteralNumber},
				{Pattern: `\w+|.`, Type: chroma.Text},
			}}
		})
}
