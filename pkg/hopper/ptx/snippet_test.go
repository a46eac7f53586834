package ptx

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// snippetPrelude precedes a snippet: enough registers of every type, a
// parameter of each kind, and shared memory.
const snippetPrelude = `.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n)
{
.reg .pred p, q; .reg .b16 h<4>; .reg .u16 u<4>; .reg .f16 hf<4>; .reg .b32 r<20>; .reg .u32 ur<4>; .reg .s32 sr<4>
`

// snippet wraps statements into a module; they begin on its line 7.
func snippet(body string) string {
	return strings.TrimSuffix(snippetPrelude, "\n") +
		"; .reg .f32 f<140>; .reg .b64 d<8>; .reg .u64 ud<4>; .reg .f64 fd<4>; .reg .f16x2 hx<4>; .reg .b128 bq<2>; .reg .v4 .f32 v; .shared .align 128 .b8 sm[1024];\n" +
		body + "\nret;\n}\n"
}

// dataLines reads a file of testdata without its blank and "#" lines.
func dataLines(t *testing.T, name string) []string {
	text, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	var list []string
	for _, line := range strings.Split(string(text), "\n") {
		if line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	require.NotEmpty(t, list)
	return list
}

// verifyText parses and verifies a module and returns all messages.
func verifyText(t *testing.T, text string) []*Error {
	m, err := Parse(text)
	require.NoError(t, err, "in:\n%s", text)
	return Verify(m)
}
