package plots

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// luminance is the relative luminance of WCAG 2.
func luminance(rgb uint32) float64 {
	channel := func(shift int) float64 {
		v := float64(rgb>>shift&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}

func contrast(a, b uint32) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast: words can be read and marks be seen on both papers, also in
// the filled areas.
func TestContrast(t *testing.T) {
	assert.InDelta(t, 21, contrast(0x000000, 0xffffff), 0.01, "of black on white")
	for _, i := range inks() {
		least := map[ink]float64{foreground: 7, muted: 4.5, grid: 1.2, paper: 1}[i]
		if least == 0 {
			least = 3
		}
		assert.GreaterOrEqual(t, contrast(i.light, paper.light), least, "%s on light", i.name)
		assert.GreaterOrEqual(t, contrast(i.dark, paper.dark), least, "%s on dark", i.name)
	}
}

// TestStyleSheet: each ink has a colour in each theme, and a page's theme goes
// before the system's.
func TestStyleSheet(t *testing.T) {
	sheet := styleSheet()
	for _, i := range inks() {
		assert.Equal(t, 5, strings.Count(sheet, "--"+i.name+": #"), "%s: usual, dark by the system, light and dark by the page, printed", i.name)
		assert.Equal(t, 1, strings.Count(sheet, "var(--"+i.name+")"))
	}
	assert.Less(t, strings.Index(sheet, "@media (prefers-color-scheme: dark)"), strings.Index(sheet, `[data-theme="light"]`))
}

// TestNumber: two digits, no zeros behind, and the same for what arithmetic
// may make of a half.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {-0.001, "0"}, {12, "12"}, {12.5, "12.5"}, {-3.14159, "-3.14"}, {1e4, "10000"},
		{12.345, "12.35"}, {math.Nextafter(12.345, 0), "12.35"}, {math.Nextafter(12.345, 13), "12.35"},
	} {
		assert.Equal(t, c.want, number(c.v), "%v", c.v)
	}
}
