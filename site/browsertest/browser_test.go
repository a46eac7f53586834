//go:build browser

// Package browsertest opens the site in Chromium and uses it as a reader
// would. It has tests only, and skips them where there is no Chromium, or with
// -required fails.
//
// It knows the site's pages and their controls. It must not know how they are
// made.
package browsertest

import (
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"gohopper/site"
)

const repository = "../.."

const (
	ran     = "v3" // the lesson that the tests run in the page
	fastest = "v6" // the one whose first result they time
)

// built is the site on a disk and below a path of a server.
type built struct {
	folder, address string
}

var (
	screens  = flag.String("screens", "", "write screenshots of the pages to this `folder`")
	required = flag.Bool("required", false, "fail, rather than skip, where there is no Chromium or no axe-core")
)

// lacking ends a test that cannot run on this machine.
func lacking(t *testing.T, what string) {
	t.Helper()
	if *required {
		t.Fatal(what)
	}
	t.Skip(what)
}

// build makes the site once for all tests of a run, with the programs that they
// use.
func build(t *testing.T) built {
	files, err := site.Make(repository)
	require.NoError(t, err)
	used := []string{ran, fastest, "playground", "figures", "museum"}
	chosen := slices.DeleteFunc(site.Programs(), func(p site.Program) bool { return !slices.Contains(used, p.Name) })
	require.Len(t, chosen, len(used))
	programs, err := compiler(t).Programs(chosen, func(string) {})
	require.NoError(t, err)
	for _, p := range chosen {
		packed := len(programs["programs/"+p.Name+".js"]) * 3 / 4 // from base64
		t.Logf("the program of %s is %.2f MB, compressed", p.Name, float64(packed)/1e6)
		require.Less(t, packed, 3_000_000)
	}
	for name, data := range programs {
		files[name] = data
	}
	folder := t.TempDir()
	require.NoError(t, files.Write(filepath.Join(folder, "some", "path")))
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	return built{filepath.Join(folder, "some", "path"), server.URL + "/some/path/"}
}

// compiler uses the go command of this machine.
func compiler(t *testing.T) site.Compiler {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	require.NoError(t, err)
	return site.Compiler{Glue: glue, Build: func(folder, file string) error {
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./"+folder)
		cmd.Dir, cmd.Env = repository, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		return cmd.Run()
	}}
}

// chromium starts a browser with a profile of its own, or skips the test.
func chromium(t *testing.T) context.Context {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		lacking(t, "there is no Chromium: on Debian, apt-get install chromium")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1440, 900), chromedp.WSURLReadTimeout(time.Minute),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("allow-pre-commit-input", true),       // or a key before the first frame may be lost
		chromedp.Flag("force-prefers-reduced-motion", true), // or a click may miss what is still scrolling
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	ctx, cancel := context.WithTimeout(ctx, 8*time.Minute)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx))
	return ctx
}
