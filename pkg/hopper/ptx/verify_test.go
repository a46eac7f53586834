package ptx

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite goldens")

// verifyCase is one program that breaks a rule.
type verifyCase struct{ why, text, want string }

// readVerifyCases reads "== why", statements or a module, "--", messages.
func readVerifyCases(t *testing.T, path string) []verifyCase {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var list []verifyCase
	for _, part := range strings.Split("\n"+string(data), "\n== ")[1:] {
		why, rest, _ := strings.Cut(part, "\n")
		text, want, ok := strings.Cut(rest, "\n--\n")
		require.True(t, ok, "%s: %s has no line --", path, why)
		list = append(list, verifyCase{why, text, strings.TrimSpace(want)})
	}
	require.NotEmpty(t, list, path)
	return list
}

// TestVerify runs the programs of testdata/verify, a file for every rule.
func TestVerify(t *testing.T) {
	for _, rule := range ruleNames(t) {
		path := filepath.Join("testdata/verify", rule+".txt")
		var out strings.Builder
		for _, c := range readVerifyCases(t, path) {
			text := c.text
			if !strings.HasPrefix(text, ".version") {
				text = snippet(text)
			}
			var got []string
			broken := false
			for _, e := range verifyText(t, text) {
				got = append(got, e.Error())
				broken = broken || e.Rule == rule
			}
			assert.True(t, broken, "%s, %s: nothing breaks this rule: %q", path, c.why, got)
			if !*update {
				assert.Equal(t, c.want, strings.Join(got, "\n"), "%s: %s", path, c.why)
			}
			out.WriteString("== " + c.why + "\n" + c.text + "\n--\n" + strings.Join(got, "\n") + "\n\n")
		}
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(out.String()), 0o644))
		}
	}
}

// ruleNames reads the rules from verify.go, so that none goes without a test.
func ruleNames(t *testing.T) []string {
	source, err := os.ReadFile("verify.go")
	require.NoError(t, err)
	var names []string
	for _, m := range regexp.MustCompile(`Rule\w+ = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		names = append(names, m[1])
	}
	require.NotEmpty(t, names)
	return names
}
