package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/lessons"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/sanitize"
)

// rulesFile explains the rules. It is made here, since the museum has seen them
// all broken.
const rulesFile = "../../" + event.RulesPage

// explainedIn is where a rule without an exhibit is explained: a lesson, or a
// page of docs.
var explainedIn = map[string]string{
	sanitize.Race: "v0", sanitize.MbarrierInit: "v0", sanitize.MissingWait: "v0", sanitize.PeerForm: "v6",

	"stuck": "v3", "budget": "emulator.md", "uninitialized": "v0", "out-of-bounds": "v0", "misaligned": "v0",
	"mbarrier": "v0", "barrier": "v3", "cluster": "v6", "exited": "v6", "lifetime": "v6", "multicast": "v6",
	"tensor-map": "v0", "copy-size": "emulator.md", "wgmma": "v1", "setmaxnreg": "v6", "divergence": "v3", "membermask": "emulator.md",
	"control": "your-own-ptx.md", "call": "your-own-ptx.md", "trap": "your-own-ptx.md", "assert": "your-own-ptx.md", "printf": "your-own-ptx.md",
}

// entry is a rule on its page.
type entry struct {
	Name     string
	Severity event.Severity
	Short    string // the first sentence of Doc
	Doc      string
	Says     string // what the example does
	Finding  string
	Exhibits []Exhibit
	Lesson   string // a link
}

var rulesPage = template.Must(template.New("rules").Funcs(template.FuncMap{
	"short": short,
}).Parse(`{{define "exhibit"}}[{{short .ID}}: {{.Title}}](../lessons/museum/{{.ID}}.md){{end -}}

# The rules

<!-- Made by go test ./lessons/museum -update from the rules of pkg/hopper/sanitize and pkg/hopper/emu. -->

A finding names a rule in brackets, and the line ` + "`rule:`" + ` says where it is explained: here. Each rule comes with what is wrong, why it goes wrong and how to repair it, with a finding as it is printed, with the exhibits of [the museum](../lessons/museum/lesson.md) that break it, and with the place that explains what was forgotten.

The first word of a finding is its severity. Error: the memory model, or the instruction, allows a wrong result. Stuck: the kernel cannot go on, and a GPU would hang. Latent: it lies outside of what the hardware promises, and today's hardware hides it. A rule has the severity of most of its findings.

## All of them

| rule | severity | what is wrong |
|---|---|---|
{{range .Sanitizer}}| [{{.Name}}](#{{.Name}}) | {{.Severity}} | {{.Short}} |
{{end}}{{range .Machine}}| [{{.Name}}](#{{.Name}}) | {{.Severity}} | {{.Short}} |
{{end}}
## Rules about order

The sanitizer judges these by what orders two accesses, not by what a run happened to do. It reports them under every schedule, also when the result is right. What it does not report is not thereby proved.
{{range .Sanitizer}}{{template "rule" .}}{{end}}
## Faults of the machine

The emulator reports these when they happen in the schedule that is run. Another seed may meet more of them, or fewer. The examples are kernels of a few instructions of PTX, in ` + "`lessons/museum/examples_test.go`" + `.
{{range .Machine}}{{template "rule" .}}{{end}}

{{- define "rule"}}
### {{.Name}}

{{.Doc}}

{{with .Exhibits}}Shown by {{range $i, $e := .}}{{if $i}}, {{end}}{{template "exhibit" $e}}{{end}}. {{end}}Explained in {{.Lesson}}. Severity: {{.Severity}}.

{{if .Says}}An example, in which {{.Says}}:{{else}}An example, from {{template "exhibit" index .Exhibits 0}}:{{end}}

` + "```text finding\n{{.Finding}}```" + `
{{end}}`))

// TestRules holds the page of the rules to the rules, and each example to what
// is found.
func TestRules(t *testing.T) {
	var page struct{ Sanitizer, Machine []entry }
	for _, r := range sanitize.Rules {
		page.Sanitizer = append(page.Sanitizer, explain(t, r.Name, r.Severity, r.Doc))
	}
	for _, r := range emu.Rules() {
		page.Machine = append(page.Machine, explain(t, r.Name, r.Severity, r.Doc))
	}
	var b bytes.Buffer
	require.NoError(t, rulesPage.Execute(&b, page))
	golden(t, rulesFile, b.String())

	for _, e := range append(page.Sanitizer, page.Machine...) {
		assert.Contains(t, e.Finding, "["+e.Name+"]")
		assert.Equal(t, 1, strings.Count(b.String(), "\n### "+e.Name+"\n"), "one place for %s", e.Name)
	}
}

// explain makes the entry of a rule.
func explain(t *testing.T, name string, severity event.Severity, doc string) entry {
	doc = marked(strings.Join(strings.Fields(doc), " "))
	e := entry{Name: name, Severity: severity, Doc: doc, Short: doc}
	if end := strings.Index(doc, ". "); end >= 0 {
		e.Short = doc[:end+1]
	}
	for _, x := range exhibits() {
		if x.Rule == name {
			e.Exhibits = append(e.Exhibits, x)
		}
	}
	where := explainedIn[name]
	var found event.Finding
	if len(e.Exhibits) > 0 {
		assert.Empty(t, where, "the exhibits of %s say where it is explained", name)
		where = e.Exhibits[0].Lesson
		o, err := e.Exhibits[0].run(false, 1)
		require.NoError(t, err)
		found = o.findings[slices.IndexFunc(o.findings, func(f event.Finding) bool { return f.Rule == name })]
	} else {
		i := slices.IndexFunc(examples(), func(x example) bool { return x.rule == name })
		require.NotEqual(t, -1, i, "%s has neither an exhibit nor an example", name)
		x := examples()[i]
		e.Says, found = x.says, x.run(t)
	}
	e.Lesson = link(t, name, where)
	e.Finding = strings.Replace(found.String(), "  rule: "+event.RulesPage+"#"+name+"\n", "", 1)
	return e
}

// link leads to a lesson, or to a page of docs.
func link(t *testing.T, rule, where string) string {
	if l, ok := lessons.Find(where); ok {
		return fmt.Sprintf("[%s](../%s/lesson.md)", strings.ToUpper(l.Name), l.Folder)
	}
	text, err := os.ReadFile("../../docs/" + cmp.Or(where, "no page"))
	require.NoError(t, err, "where is %s explained?", rule)
	title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
	return fmt.Sprintf("[%s](%s)", title, where)
}

// code is what of a rule's text is an instruction or a part of one.
var code = regexp.MustCompile(`[a-z][a-z0-9_]*(\.[a-z][a-z0-9_:]*)+( N)?|\.(shared|wait)[a-z:]*|\b[a-z]+_[a-z]+( N)?\b|\b(setmaxnreg|mapa|wgmma|scale-d)\b|0x[0-9a-f]+`)

// marked sets instructions as code.
func marked(doc string) string { return code.ReplaceAllString(doc, "`$0`") }

// TestMarked: a sentence's end is no part of an instruction.
func TestMarked(t *testing.T) {
	for text, want := range map[string]string{
		"Put bar.sync between, or bar.warp.sync.":           "Put `bar.sync` between, or `bar.warp.sync`.",
		"wait_group N covers. With .shared or .shared::cta": "`wait_group N` covers. With `.shared` or `.shared::cta`",
		"expect_tx alone; setmaxnreg takes 0xff":            "`expect_tx` alone; `setmaxnreg` takes `0xff`",
		"barrier.cluster.arrive and .wait, not more. So":    "`barrier.cluster.arrive` and `.wait`, not more. So",
	} {
		assert.Equal(t, want, marked(text))
	}
}

// TestLessons: an exhibit's lesson is one, and its page leads there.
func TestLessons(t *testing.T) {
	for _, e := range exhibits() {
		_, ok := lessons.Find(e.Lesson)
		assert.True(t, ok, "%s: there is no lesson %q", e.ID, e.Lesson)
		page, err := os.ReadFile(e.ID + ".md")
		require.NoError(t, err)
		assert.Contains(t, string(page), "(../"+e.Lesson+"/lesson.md)", e.ID)
		assert.Contains(t, string(page), "(../../"+event.RulesPage+"#"+e.Rule+")", e.ID)
	}
}
