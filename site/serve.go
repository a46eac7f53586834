package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Server shows a site on the loopback interface and follows its sources: when
// a page, a report or a source file changes, the site is made again and open
// pages reload.
type Server struct {
	Root     string               // of the repository
	Programs Files                // made once; may be nil
	Tell     func(message string) // what happens, a line each
	mu       sync.Mutex
	files    Files
	changed  chan struct{} // closed when files are replaced
}

// follow is how often the sources are looked at.
const follow = 500 * time.Millisecond

// Serve serves until the context ends. The address is of the loopback
// interface, as in "127.0.0.1:8080"; port 0 takes a free one.
func (s *Server) Serve(ctx context.Context, address string) error {
	files, err := Make(s.Root)
	if err != nil {
		return err
	}
	s.show(files)
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("the site cannot be served: %w; another -port may be free", err)
	}
	server := &http.Server{Handler: s}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	go s.follow(ctx)
	s.Tell("http://" + listener.Addr().String() + "/  (Ctrl+C ends it)")
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// show replaces the files and wakes the pages that wait.
func (s *Server) show(files Files) {
	for name, data := range s.Programs {
		files[name] = data
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files = files
	if s.changed != nil {
		close(s.changed)
	}
	s.changed = make(chan struct{})
}

// reload waits for the next change; then the page asks for itself again.
const reload = "<script>fetch('/-/changed').then((r) => r.ok && location.reload())</script>"

// ServeHTTP answers with a file, with a reloading script in pages.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	files, changed := s.files, s.changed
	s.mu.Unlock()
	if r.URL.Path == "/-/changed" {
		select {
		case <-changed:
		case <-r.Context().Done():
		}
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = homeOut
	}
	data, ok := files[name]
	status := http.StatusOK
	if !ok {
		name, status = missingOut, http.StatusNotFound
		data = files[name]
	}
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("Cache-Control", "no-cache")
	if path.Ext(name) == ".html" {
		data = append(data[:len(data):len(data)], reload...)
	}
	w.WriteHeader(status)
	w.Write(data)
}

// contentType is by the name alone, so that no system's table matters.
func contentType(name string) string {
	types := map[string]string{
		".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
		".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json",
	}
	if t := types[path.Ext(name)]; t != "" {
		return t
	}
	return "text/plain; charset=utf-8"
}

// follow makes the site again when a source has changed. What is wrong with a
// page is told, and the last good site stays.
func (s *Server) follow(ctx context.Context) {
	before := stamp(s.Root)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(follow):
		}
		now := stamp(s.Root)
		if now == before {
			continue
		}
		before = now
		files, err := Make(s.Root)
		if err != nil {
			s.Tell(err.Error())
			continue
		}
		s.show(files)
		s.Tell("made again, " + time.Now().Format(time.TimeOnly))
	}
}

// watched is the folders whose files the site is made of.
var watched = []string{"docs", "lessons", "plots", "site", "pkg/hopper"}

// stamp changes when a source does.
func stamp(root string) string {
	var newest time.Time
	count := 0
	for _, folder := range watched {
		filepath.WalkDir(filepath.Join(root, folder), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // a folder that is missing has no sources
			}
			count++
			if info, err := os.Stat(name); err == nil && info.ModTime().After(newest) {
				newest = info.ModTime()
			}
			return nil
		})
	}
	return fmt.Sprint(count, newest.UnixNano())
}
