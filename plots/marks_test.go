package plots

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TestWidens: no record is drawn out of sight.
func TestWidens(t *testing.T) {
	p := newPanel(100, "", "")
	scale(&p.X, whole, 0, 10)
	scale(&p.Y, whole, 0, 50, 100)
	p.Add(point(marker{}, 5, 50))
	assert.Equal(t, [4]float64{0, 10, 0, 100}, [4]float64{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max}, "the first and the last tick")
	p.Add(bracket(blue, 11, -1, 130, 0), names([]named{{marker{}, "a", -2, 1}}, nil))
	assert.Equal(t, [4]float64{-2, 11, -1, 130}, [4]float64{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max})
}

// TestNames: a name takes the first side that is free.
func TestNames(t *testing.T) {
	place := func(points []named, lines []stroke) string {
		page := &canvas{height: 100}
		c := draw.Canvas{Canvas: page, Rectangle: vg.Rectangle{Max: vg.Point{X: 100, Y: 100}}}
		pixels := func(v float64) vg.Length { return vg.Length(v) }
		names(points, lines).mark(c, pixels, pixels)
		return page.out.String()
	}
	one := []named{{marker{circle, blue, false}, "a", 50, 50}}
	right, above := `x="63.11" y="54.68"`, `x="50" y="40.5"`
	require.Contains(t, place(one, nil), right)
	assert.Contains(t, place(append(one, named{marker{circle, blue, false}, "b", 62, 50}), nil), above, "a marker stands there")
	assert.Contains(t, place(one, []stroke{{65, 0, 65, 100}}), above, "a line passes there")
	one[0].x = 95
	assert.Contains(t, place(one, nil), `x="95" y="40.5"`, "the panel ends there")
}
