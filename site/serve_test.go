package site

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func get(s http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	return w
}

func TestServer(t *testing.T) {
	s := &Server{Programs: Files{"programs/v0.js": []byte("p")}}
	s.show(Files{homeOut: []byte("home"), missingOut: []byte("missing"), "files/a.ptx": []byte("ptx")})
	home := get(s, "/")
	assert.Equal(t, "home"+reload, home.Body.String())
	assert.Equal(t, "text/html; charset=utf-8", home.Header().Get("Content-Type"))
	assert.Equal(t, "ptx", get(s, "/files/a.ptx").Body.String(), "nothing is added to other files")
	assert.Equal(t, "p", get(s, "/programs/v0.js").Body.String())
	missing := get(s, "/../gone")
	assert.Equal(t, http.StatusNotFound, missing.Code)
	assert.Contains(t, missing.Body.String(), "missing")

	waiting := make(chan int)
	go func() { waiting <- get(s, "/-/changed").Code }()
	select {
	case <-waiting:
		t.Fatal("nothing has changed yet")
	case <-time.After(20 * time.Millisecond):
	}
	s.show(Files{homeOut: []byte("new")})
	assert.Equal(t, http.StatusOK, <-waiting)
	assert.Contains(t, get(s, "/").Body.String(), "new")
}

// TestServeTellsMistakes: an address that is taken, and a repository that is
// none, are errors of the call.
func TestServeTellsMistakes(t *testing.T) {
	s := &Server{Root: t.TempDir(), Tell: func(string) {}}
	assert.ErrorContains(t, s.Serve(context.Background(), "127.0.0.1:0"), "site/home.md")
	s.Root = repository
	assert.ErrorContains(t, s.Serve(context.Background(), "127.0.0.1:99999"), "another -port may be free")
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	f := Files{"a.html": []byte("a"), "b/c.css": []byte("c")}
	require.NoError(t, f.Write(dir))
	old := filepath.Join(dir, "a.html")
	require.NoError(t, os.Chtimes(old, time.Unix(1, 0), time.Unix(1, 0)))
	f["b/c.css"] = []byte("changed")
	require.NoError(t, f.Write(dir))
	info, err := os.Stat(old)
	require.NoError(t, err)
	assert.Equal(t, int64(1), info.ModTime().Unix(), "a file with the right contents is left alone")
	text, err := os.ReadFile(filepath.Join(dir, "b", "c.css"))
	require.NoError(t, err)
	assert.Equal(t, "changed", string(text))
	assert.Equal(t, 8, f.Size())
	assert.ErrorContains(t, f.Write(old), "the site cannot be written")
}
