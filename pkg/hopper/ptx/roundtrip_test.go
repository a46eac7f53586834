package ptx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// corpus is every PTX file of testdata; see testdata/README.md.
func corpus(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*/*.ptx")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 8)
	return append(files, "testdata/syntax.ptx")
}

// TestRoundTrip checks that a module survives printing, and that the printer
// is stable.
func TestRoundTrip(t *testing.T) {
	for _, path := range corpus(t) {
		m := parseFile(t, path)
		text := Print(m)
		back, err := Parse(text)
		require.NoError(t, err, path)
		assert.True(t, Equal(m, back), "%s changes when printed", path)
		assert.Equal(t, text, Print(back), "%s prints differently the second time", path)

		bare, err := Parse(PrintBare(m))
		require.NoError(t, err, path)
		assert.Equal(t, PrintBare(m), PrintBare(bare), path)
	}
}

// TestCompilersVerify checks that Verify finds nothing in what compilers write.
func TestCompilersVerify(t *testing.T) {
	for _, path := range corpus(t) {
		if path == "testdata/syntax.ptx" {
			continue // made for the parser; it breaks rules of Verify
		}
		assert.Empty(t, Verify(parseFile(t, path)), path)
	}
}

// FuzzParse checks that no text makes the parser, the printer or the verifier
// panic, and that what parses survives printing.
func FuzzParse(f *testing.F) {
	for _, path := range corpus(f) {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(string(text))
	}
	for _, c := range syntaxCases {
		f.Add(snippet(c.in))
	}
	for _, c := range errorCases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			require.IsType(t, &Error{}, err)
			return
		}
		printed := Print(m)
		back, err := Parse(printed)
		require.NoError(t, err, "printed as:\n%s", printed)
		require.True(t, Equal(m, back), "printed as:\n%s", printed)
		Verify(m)
	})
}

func BenchmarkParse(b *testing.B) {
	text, err := os.ReadFile("testdata/triton/gemm.ptx")
	require.NoError(b, err)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(string(text)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	text, err := os.ReadFile("testdata/triton/gemm.ptx")
	require.NoError(b, err)
	m, err := Parse(string(text))
	require.NoError(b, err)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Print(m)
	}
}

func BenchmarkVerify(b *testing.B) {
	text, err := os.ReadFile("testdata/triton/gemm.ptx")
	require.NoError(b, err)
	m, err := Parse(string(text))
	require.NoError(b, err)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if errs := Verify(m); len(errs) > 0 {
			b.Fatal(errs[0])
		}
	}
}
