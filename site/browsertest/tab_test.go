//go:build browser

package browsertest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tab is a tab of the browser, and what went wrong in it.
type tab struct {
	ctx  context.Context
	home string // where requests may go

	mu    sync.Mutex
	wrong []string
}

// newTab listens for errors on the console, exceptions, requests that fail and
// requests that leave the site.
func newTab(t *testing.T, ctx context.Context, home string) *tab {
	b := &tab{ctx: ctx, home: home}
	require.NoError(t, chromedp.Listen(ctx, b.hear))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	return b
}

// window is a window of its own in the same browser, until the test ends.
func (b *tab) window(t *testing.T) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(b.ctx)
	t.Cleanup(end)
	require.NoError(t, chromedp.Do(ctx))
	w := newTab(t, ctx, b.home)
	w.do(t, chromedp.EmulateViewport(1440, 900))
	return w
}

func (b *tab) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.complain("an exception: " + e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			b.complain("the console: " + string(e.Args[0].Value))
		}
	case *network.EventRequestWillBeSent:
		u := e.Request.URL
		if !strings.HasPrefix(u, b.home) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") && !strings.HasPrefix(u, "file:") {
			b.complain("a request to " + u)
		}
	case *network.EventLoadingFailed:
		if !e.Canceled {
			b.complain("a request failed: " + e.ErrorText)
		}
	}
}

func (b *tab) complain(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, what)
}

// complaints is what went wrong since the last call.
func (b *tab) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	wrong := b.wrong
	b.wrong = nil
	return wrong
}

// patience is how long an action may take before a test gives up.
const patience = time.Minute

// do performs actions.
func (b *tab) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	require.NoError(t, chromedp.Do(ctx, actions...))
}

// open loads a page and waits until it is there.
func (b *tab) open(t *testing.T, address string) {
	t.Helper()
	b.do(t, chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS("main")))
}

// width makes the screen of this width until the test ends.
func (b *tab) width(t *testing.T, pixels int64) {
	t.Helper()
	b.do(t, chromedp.EmulateViewport(pixels, 844))
	t.Cleanup(func() { b.do(t, chromedp.EmulateViewport(1440, 900)) })
}

// forget makes the browser that of a reader who was never here.
func (b *tab) forget(t *testing.T) {
	t.Helper()
	b.do(t, chromedp.Navigate("about:blank")) // a page may store something as it is left
	for _, origin := range []string{b.home, "file://"} {
		_, err := chromedp.Call(b.ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "local_storage"})
		require.NoError(t, err)
	}
	b.complaints()
}

// says is the value of an expression as a string.
func (b *tab) says(t *testing.T, expression string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+expression+")"))
	require.NoError(t, err, expression)
	return value
}

// press presses a button from within the page. A click at a place on the screen
// may miss a button that moves in between, as one does below which something is
// being drawn; one such click a page is enough.
func (b *tab) press(t *testing.T, selector string) {
	t.Helper()
	b.says(t, "document.querySelector(`"+selector+"`).click()")
}

// wait waits until a condition of the page holds. If it never does, the page's
// own word for its state is part of the failure.
func (b *tab) wait(t *testing.T, condition string) {
	t.Helper()
	holds := func() bool {
		value, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("Boolean("+condition+")"))
		return err == nil && value // a page that is on its way answers with an error
	}
	if !assert.Eventually(t, holds, patience, 20*time.Millisecond, condition) {
		require.FailNow(t, "the page says: "+b.says(t, `[...document.querySelectorAll("[role=status]")].map((e) => e.textContent).join(" | ")`))
	}
}
