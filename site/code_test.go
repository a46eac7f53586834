package site

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHighlight(t *testing.T) {
	h := newHighlighter(map[string]string{"Sync": "reference.html#Kernel.Sync"})
	for _, c := range []struct{ why, language, text, want string }{
		{"a word of the vocabulary is a link", "go", "k.Sync()", `k.<a class="w" href="reference.html#Kernel.Sync">Sync</a>()`},
		{"a function of that name is none", "go", "Sync()", `<span class="f">Sync</span>()`},
		{"a comment, escaped", "go", "x // a < b", `x <span class="c">// a &lt; b</span>`},
		{"two lines", "go", "if x {\n}\n", "<span class=\"k\">if</span> x {\n}"},
		{"an opcode with its qualifiers", "ptx", "\tmbarrier.init.shared::cta.b64 [%smem+8], 1;",
			"\t<span class=\"f\">mbarrier.init.shared::cta.b64</span> [%smem+<span class=\"n\">8</span>], <span class=\"n\">1</span>;"},
		{"a guard, a label", "ptx", "@!%p0 bra $x;", `<span class="k">@!%p0</span> <span class="f">bra</span> $x;`},
		{"a directive and a type", "ptx", ".reg .f32 %f<2>;", `<span class="k">.reg</span> <span class="t">.f32</span> %f&lt;<span class="n">2</span>&gt;;`},
		{"a language that is not known", "text", "a < b", "a &lt; b"},
	} {
		assert.Equal(t, c.want, string(h.code(c.language, c.text)), c.why)
	}
}

func TestVocabulary(t *testing.T) {
	v, err := readVocabulary(repository)
	assert.NoError(t, err)
	at := v.addresses()
	assert.Equal(t, "reference.html#Kernel.WgmmaFence", at["WgmmaFence"])
	assert.Empty(t, at["Stage"], "Ring and Mbarriers both have it")
	for _, g := range v.groups() {
		assert.NotEmpty(t, topics[g.Topic], "a title for the words of %s.go", g.Topic)
	}

	root := tree(t, map[string]string{
		"pkg/hopper/a.go":               "package hopper\n\n// Known is a word.\nfunc Known() {}\n",
		"pkg/hopper/testdata/words.txt": "Known: why\n\tret;\n\nGone: why\n\tret;\n",
	})
	_, err = readVocabulary(root)
	assert.EqualError(t, err, "pkg/hopper/testdata/words.txt:4: pkg/hopper does not declare Gone")
}
