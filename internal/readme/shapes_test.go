package readme

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/report"
	"gohopper/lessons"
)

// shapesTable shows every lesson on every shape of the sweep, as a share of the
// library's speed: one table for each element type.
func shapesTable(results []report.Result) (string, error) {
	type cell struct {
		lesson, typ string
		shape       report.Shape
	}
	at := map[cell]report.Combined{}
	library := map[cell][]float64{} // without the lesson
	var shapes []report.Shape
	var rows []report.Combined
	for _, c := range report.Combine(results) {
		if c.Origin != report.Recorded {
			continue
		}
		if err := complete(c); err != nil {
			return "", err
		}
		key := cell{c.Lesson, c.Type, c.Shape}
		if _, twice := at[key]; twice {
			return "", fmt.Errorf("%s is recorded twice for %s %v", c.Lesson, c.Type, c.Shape)
		}
		at[key] = c
		all := cell{"", c.Type, c.Shape}
		library[all] = append(library[all], c.Library.Median)
		if !slices.Contains(shapes, c.Shape) {
			shapes = append(shapes, c.Shape)
		}
		rows = append(rows, c)
	}
	slices.SortStableFunc(shapes, func(a, b report.Shape) int { return cmp.Compare(a.M*a.N*a.K, b.M*b.N*b.K) })
	var b strings.Builder
	for _, typ := range []string{"f16", "bf16"} {
		fmt.Fprintf(&b, "| %s, MxNxK | cuBLAS, TFLOP/s |", typ)
		for _, name := range lessons.Names() {
			fmt.Fprintf(&b, " %s, %% |", strings.ToUpper(name))
		}
		b.WriteString("\n|---|---:|" + strings.Repeat("---:|", len(lessons.Names())) + "\n")
		for _, s := range shapes {
			rates := library[cell{"", typ, s}]
			if len(rates) == 0 {
				continue
			}
			fmt.Fprintf(&b, "| %v | %.0f |", s, report.RangeOf(rates).Median)
			for _, name := range lessons.Names() {
				if c, ok := at[cell{name, typ, s}]; ok {
					fmt.Fprintf(&b, " %.1f |", 100*c.Ratio.Median)
				} else {
					b.WriteString(" |")
				}
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "The library's speed is the median over the lessons that it stood beside. %s\n", provenance(rows, ""))
	return b.String(), nil
}

// tilesTable shows each lesson's tile space, timed.
func tilesTable(results []report.Result) (string, error) {
	var b strings.Builder
	var rows []report.Combined
	for _, l := range lessons.All() {
		var tiles []report.Combined
		for _, c := range report.Combine(results) {
			if c.Lesson != l.Name || c.Origin != report.Recorded {
				continue
			}
			if err := complete(c); err != nil {
				return "", err
			}
			tiles = append(tiles, c)
		}
		if len(tiles) == 0 {
			continue
		}
		rows = append(rows, tiles...)
		slices.SortStableFunc(tiles, func(a, b report.Combined) int { return cmp.Compare(b.Ratio.Median, a.Ratio.Median) })
		fmt.Fprintf(&b, "| %s | registers | TFLOP/s | of cuBLAS |\n|---|---:|---:|---:|\n", strings.ToUpper(l.Name))
		for _, c := range tiles {
			fmt.Fprintf(&b, "| %s | %d | %s |\n", parameters(c.Config), c.Build.Registers, speed(c))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "At %d cubed, %s, the best first. %s\n", shape.M, elem, provenance(rows, ranges))
	return b.String(), nil
}

// parameters is a tile as the flags that ask for it.
func parameters(config map[string]int) string {
	var all []string
	for name, value := range config {
		all = append(all, fmt.Sprintf("-%s %d", name, value))
	}
	slices.Sort(all)
	return "`" + strings.Join(all, " ") + "`"
}

func TestShapesTable(t *testing.T) {
	small, brain := result("v1", 1, 1.25), result("v0", 1, 2)
	small.Shape.M = 128
	brain.Type = "bf16"
	got, err := shapesTable([]report.Result{result("v0", 1, 2), result("v1", 1, 1), small, brain})
	require.NoError(t, err)
	assert.Contains(t, got, "| 128x8192x8192 | 17 | | 80.0 |", "a lesson without a result has an empty cell")
	assert.Contains(t, got, "| 8192x8192x8192 | 1100 | 50.0 | 100.0 |")
	_, err = shapesTable([]report.Result{result("v0", 1, 2), func() report.Result { r := result("v0", 1, 2); r.Seed = 2; return r }()})
	assert.ErrorContains(t, err, "recorded twice")
}

func TestTilesTable(t *testing.T) {
	tile := func(stages int, ms float64) report.Result {
		r := result("v2", 1, ms)
		r.Config = map[string]int{"tile-n": 128, "stages": stages}
		r.Build = &report.Build{Registers: 90}
		return r
	}
	got, err := tilesTable([]report.Result{tile(2, 2), tile(3, 1.25)})
	require.NoError(t, err)
	assert.Contains(t, got, "| `-stages 3 -tile-n 128` | 90 | 880 | 80.0 % |\n| `-stages 2 -tile-n 128` | 90 | 550 | 50.0 % |\n", "the best first")
}
