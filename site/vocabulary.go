package site

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Where the vocabulary and the PTX of its words are.
const (
	vocabularyFolder = "pkg/hopper"
	wordsFile        = "pkg/hopper/testdata/words.txt"
)

// vocabulary is the words of pkg/hopper in the order of wordsFile.
type vocabulary []*word

// word is a function or a method of the vocabulary.
type word struct {
	Name, ID  string // "Kernel.Sync"
	Signature string
	Doc       template.HTML
	Text      string // of Doc, for the search
	Topic     string // the file that declares it, without .go
	Place     string // "barrier.go:12"
	Examples  []example
}

// example is the PTX of one use of a word, and why it is so.
type example struct {
	Why, PTX string
	HTML     template.HTML
}

// wordGroup is the words of one topic.
type wordGroup struct {
	Topic, Title string
	Words        []*word
}

// readVocabulary joins the doc comments of the words with their PTX. A word of
// wordsFile that is not declared is an error with its line.
func readVocabulary(root string) (vocabulary, error) {
	declared, err := declaredWords(filepath.Join(root, vocabularyFolder))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(wordsFile)))
	if err != nil {
		return nil, err
	}
	var v vocabulary
	var bad problems
	var now *example
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "\t"):
			if now != nil {
				now.PTX += strings.TrimPrefix(line, "\t") + "\n"
			}
		case line != "":
			name, why, _ := strings.Cut(line, ": ")
			w := declared[name]
			if w == nil {
				bad.add(wordsFile, i+1, fmt.Errorf("%s does not declare %s", vocabularyFolder, name))
				now = nil
				continue
			}
			if len(w.Examples) == 0 {
				v = append(v, w)
			}
			w.Examples = append(w.Examples, example{Why: why})
			now = &w.Examples[len(w.Examples)-1]
		}
	}
	return v, bad.err()
}

// declaredWords is every exported function and method by its name.
func declaredWords(folder string) (map[string]*word, error) {
	fset := token.NewFileSet()
	sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, s := range sources {
		if strings.HasSuffix(s, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, s, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	pkg, err := doc.NewFromFiles(fset, files, "gohopper/"+vocabularyFolder)
	if err != nil {
		return nil, err
	}
	words := map[string]*word{}
	add := func(owner string, funcs []*doc.Func) {
		for _, f := range funcs {
			name := f.Name
			if owner != "" {
				name = owner + "." + f.Name
			}
			at := fset.Position(f.Decl.Pos())
			file := filepath.Base(at.Filename)
			var signature strings.Builder
			decl := *f.Decl
			decl.Doc, decl.Body = nil, nil
			printer.Fprint(&signature, fset, &decl) // to a Builder: it cannot fail
			words[name] = &word{
				Name: name, ID: name, Signature: signature.String(), Doc: template.HTML(pkg.HTML(f.Doc)), Text: f.Doc,
				Topic: strings.TrimSuffix(file, ".go"), Place: fmt.Sprintf("%s:%d", file, at.Line),
			}
		}
	}
	add("", pkg.Funcs)
	for _, t := range pkg.Types {
		add("", t.Funcs)
		add(t.Name, t.Methods)
	}
	return words, nil
}

// addresses is where the reference explains a method, for code that calls it.
// A name that several types have is left out: the code does not say which.
func (v vocabulary) addresses() map[string]string {
	at := map[string]string{}
	for _, w := range v {
		name := w.Name[strings.LastIndex(w.Name, ".")+1:]
		if _, twice := at[name]; twice {
			at[name] = ""
			continue
		}
		at[name] = referenceOut + "#" + w.ID
	}
	return at
}

// topics is the titles of the files of pkg/hopper; another file's is its name.
var topics = map[string]string{
	"kernel": "The kernel", "param": "Parameters", "index": "Who am I", "value": "Values", "control": "Control flow",
	"shared": "Shared memory", "mbarrier": "Barriers that count bytes", "barrier": "Barriers and fences of a CTA",
	"cluster": "Clusters", "tma": "The copy engine, TMA", "accumulator": "Accumulators", "wgmma": "Products of a warpgroup",
	"mma": "Products of a warp", "store": "Storing fragments", "matrix": "Matrices in global memory",
	"mistake": "Rules of a kernel's own", "pipeline": "The pipeline", "raster": "The order of tiles",
}

// groups sorts the words by topic, in the order of their first word.
func (v vocabulary) groups() []wordGroup {
	var groups []wordGroup
	for _, w := range v {
		i := slices.IndexFunc(groups, func(g wordGroup) bool { return g.Topic == w.Topic })
		if i < 0 {
			groups = append(groups, wordGroup{Topic: w.Topic, Title: cmp.Or(topics[w.Topic], w.Topic)})
			i = len(groups) - 1
		}
		groups[i].Words = append(groups[i].Words, w)
	}
	return groups
}

// renderReference writes the page of the vocabulary.
func (b *builder) renderReference() error {
	v := b.view("The vocabulary, and the PTX of each word", referenceOut)
	v.Kind, v.Words = "reference", b.vocab.groups()
	for _, w := range b.vocab {
		w.Signature = strings.TrimPrefix(w.Signature, "func ")
		for i := range w.Examples {
			w.Examples[i].HTML = b.hl.code("ptx", w.Examples[i].PTX)
		}
		b.index = append(b.index, entry{Page: "Words", Title: w.Name, Out: referenceOut + "#" + w.ID, Text: w.Text})
	}
	return b.write(v)
}
