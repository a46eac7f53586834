//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// plain is the pages that one should look at as they are.
func plain() []string {
	return []string{"index", "v0", "v3", "v6", "ptx", "figures", "museum", "b05", "rules", "reference", "errata", "results"}
}

// screenshots writes them and the pages in their states, three screens of each.
func screenshots(t *testing.T, b *tab, s built) {
	if *screens == "" {
		t.Skip("give -screens DIR")
	}
	require.NoError(t, os.MkdirAll(*screens, 0o755))
	heights := map[int64]int64{390: 1500, 1440: 1300}
	shots := states()
	for _, page := range plain() {
		shots = append(shots, state{page: page + ".html"})
	}
	for _, shot := range shots {
		b.reach(t, s, shot)
		_, anchor, _ := strings.Cut(shot.page, "#")
		b.says(t, `[...document.images].forEach((i) => { i.loading = "eager"; })`)
		b.wait(t, `[...document.images].every((i) => i.complete)`)
		for _, theme := range []string{"light", "dark"} {
			b.says(t, "document.documentElement.dataset.theme = '"+theme+"'")
			for _, width := range []int64{390, 1440} {
				b.do(t, chromedp.EmulateViewport(width, heights[width]))
				b.says(t, `scrollTo({top: (document.getElementById("`+anchor+`")?.getBoundingClientRect().top ?? -scrollY) + scrollY, behavior: "instant"})`)
				for part := range 3 {
					b.says(t, fmt.Sprintf(`scrollBy({top: %d, behavior: "instant"})`, min(part, 1)*1200))
					image, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
					require.NoError(t, err)
					name := fmt.Sprintf("%s-%s-%d-%d.png", strings.ReplaceAll(shot.page, ".html", ""), theme, width, part)
					require.NoError(t, os.WriteFile(filepath.Join(*screens, strings.ReplaceAll(name, "#", "-")), image, 0o644))
				}
			}
		}
	}
	b.do(t, chromedp.EmulateViewport(1440, 900))
}
