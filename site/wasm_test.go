package site

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/lessons"
)

// TestPrograms packs something that is no program, and unpacks it.
func TestPrograms(t *testing.T) {
	c := Compiler{Glue: []byte("let a = `b${c}\\n`;"), Build: func(folder, file string) error {
		return os.WriteFile(file, []byte("binary of "+folder), 0o644)
	}}
	var done []string
	files, err := c.Programs(Programs(), func(name string) { done = append(done, name) })
	require.NoError(t, err)
	assert.Subset(t, done, append(lessons.Names(), "playground"))
	m := regexp.MustCompile("^\\(window.programs \\|\\|= {}\\)\\[\"v3\"\\] = `([^`]*)`;\n$").FindSubmatch(files["programs/v3.js"])
	require.NotNil(t, m, "%s", files["programs/v3.js"])
	packed, err := base64.StdEncoding.DecodeString(string(m[1]))
	require.NoError(t, err)
	r, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	binary, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "binary of lessons/v3", string(binary))
	assert.Contains(t, string(files["programs/worker.js"]), "let a = \\`b\\${c}\\\\n\\`;", "what ends or fills a template is escaped")

	again, err := c.Programs(Programs(), func(string) {})
	require.NoError(t, err)
	assert.Equal(t, files, again)

	c.Build = func(string, string) error { return errors.New("does not build") }
	_, err = c.Programs(Programs()[:1], func(string) { t.Error("nothing is done") })
	assert.EqualError(t, err, "does not build")
}
