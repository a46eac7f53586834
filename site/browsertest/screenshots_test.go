//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// screenshots writes the pages that one should look at.
func screenshots(t *testing.T, b *tab, s built) {
	if *screens == "" {
		t.Skip("give -screens DIR")
	}
	require.NoError(t, os.MkdirAll(*screens, 0o755))
	for _, page := range []string{"index", "v0", "v3", "v3.html#run", "v6", "reference", "errata", "results"} {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{390, 1440} {
				b.do(t, chromedp.EmulateViewport(width, map[int64]int64{390: 1500, 1440: 1300}[width]))
				b.open(t, s.address+address(page))
				b.says(t, `[...document.images].forEach((i) => { i.loading = "eager"; })`)
				b.says(t, "document.documentElement.dataset.theme = '"+theme+"'")
				b.do(t, chromedp.Sleep(300*time.Millisecond))
				for part := range 3 {
					b.says(t, fmt.Sprintf("scrollBy({top: %d, behavior: 'instant'})", min(part, 1)*1200))
					image, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
					require.NoError(t, err)
					name := fmt.Sprintf("%s-%s-%d-%d.png", strings.ReplaceAll(page, ".html#", "-"), theme, width, part)
					require.NoError(t, os.WriteFile(filepath.Join(*screens, name), image, 0o644))
				}
			}
		}
	}
}

// address is that of a page, or of a place in one.
func address(page string) string {
	if strings.Contains(page, "#") {
		return page
	}
	return page + ".html"
}
