package plots

import (
	"fmt"
	"image/color"
	"strings"
)

// ink is a colour by its part in a figure. The style sheet says what it looks
// like; the picture says its name.
type ink struct {
	name        string
	light, dark uint32  // RGB
	opacity     float64 // of a filled area, from 0 to 1
}

// RGBA makes an ink a color.Color, for plotters that ask.
func (i ink) RGBA() (r, g, b, a uint32) {
	return color.RGBA{R: byte(i.light >> 16), G: byte(i.light >> 8), B: byte(i.light), A: 0xff}.RGBA()
}

// at is the ink at another opacity.
func (i ink) at(opacity float64) ink {
	i.opacity = opacity
	return i
}

// The inks. Those of data are from the palette of Okabe and Ito ("Color
// Universal Design", 2008), which people with any colour vision can tell
// apart, some of them darkened or lightened to a contrast of at least 3 to 1
// with the paper. No figure relies on them: series have markers, line styles
// or hatches of their own too. Words are always in foreground or muted, which
// have more than 4.5 to 1.
var (
	foreground = ink{"ink", 0x1f2328, 0xe6edf3, 1}
	muted      = ink{"muted", 0x59636e, 0x9aa4ae, 1}
	grid       = ink{"grid", 0xd8dee4, 0x2b323a, 1}
	paper      = ink{"paper", 0xffffff, 0x0d1117, 1}

	blue       = ink{"blue", 0x0072b2, 0x56b4e9, 1}
	vermillion = ink{"vermillion", 0xd55e00, 0xe8762b, 1}
	green      = ink{"green", 0x00875f, 0x1fbf92, 1}
	purple     = ink{"purple", 0xa8508a, 0xcc79a7, 1}
)

// inks lists all of them, in the order of the style sheet.
func inks() []ink {
	return []ink{foreground, muted, grid, paper, blue, vermillion, green, purple}
}

// styleSheet gives each ink its colour on light and on dark. Every colour is
// said twice: for programs without custom properties, and as a property that a
// page may set.
func styleSheet() string {
	var b strings.Builder
	theme := func(of func(ink) uint32) string {
		var b strings.Builder
		for _, i := range inks() {
			fmt.Fprintf(&b, " --%s: #%06x;", i.name, of(i))
		}
		return b.String()
	}
	light := theme(func(i ink) uint32 { return i.light })
	dark := theme(func(i ink) uint32 { return i.dark })
	fmt.Fprintf(&b, ".plot {%s }\n", light)
	fmt.Fprintf(&b, "@media (prefers-color-scheme: dark) { .plot {%s } }\n", dark)
	fmt.Fprintf(&b, "[data-theme=\"light\"] .plot {%s }\n", light)
	fmt.Fprintf(&b, "[data-theme=\"dark\"] .plot {%s }\n", dark)
	b.WriteString("@media print { .plot, [data-theme=\"dark\"] .plot {" + light + " } }\n")
	for _, i := range inks() {
		fmt.Fprintf(&b, ".plot .%s { color: #%06x; color: var(--%s) }\n", i.name, i.light, i.name)
	}
	b.WriteString(".plot path, .plot text { fill: currentColor }\n")
	b.WriteString(".plot .line { fill: none; stroke: currentColor }\n")
	return b.String()
}
