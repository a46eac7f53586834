package plots

import (
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
)

var update = flag.Bool("update", false, "rewrite the figures in plots/figures")

// files reads the files of a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(text)
	}
	return all
}

// TestFigures: the committed figures are those of the committed records.
func TestFigures(t *testing.T) {
	if *update {
		require.NoError(t, os.RemoveAll("figures"))
		_, err := Draw("data", "figures")
		require.NoError(t, err)
	}
	dir := t.TempDir()
	drawn, err := Draw("data", dir)
	require.NoError(t, err)
	assert.Len(t, drawn, len(every(t)))
	want := files(t, dir)
	have := files(t, "figures")
	for name := range have {
		assert.Contains(t, want, name, "plots/figures/%s is drawn by nothing: remove it", name)
	}
	for name, text := range want {
		assert.True(t, text == have[name], "plots/figures/%s is not what the records say: go test ./plots -update, and look at it", name)
	}
}

// TestReproducible: the same bytes, whoever draws beside.
func TestReproducible(t *testing.T) {
	var all [3]map[string]string
	var wait sync.WaitGroup
	for i := range all {
		dir := t.TempDir()
		wait.Go(func() {
			_, err := Draw("data", filepath.Join(dir, "made"))
			assert.NoError(t, err)
			all[i] = files(t, filepath.Join(dir, "made"))
		})
	}
	wait.Wait()
	require.NotEmpty(t, all[0])
	assert.Equal(t, all[0], all[1])
	assert.Equal(t, all[0], all[2])
}

// every draws each figure from the committed records.
func every(t *testing.T) []figure {
	t.Helper()
	r, err := readRecords("data")
	require.NoError(t, err)
	all, err := r.figures()
	require.NoError(t, err)
	return all
}

// TestDocument: a figure is well-formed, asks nobody for anything, has a name
// for those who do not see it, and says what it was measured on, if it was.
func TestDocument(t *testing.T) {
	records, err := readRecords("data")
	require.NoError(t, err)
	one := records.ladder.results[0]
	names := map[string]bool{}
	for _, f := range every(t) {
		t.Run(f.name, func(t *testing.T) {
			assert.False(t, names[f.name], "another figure has this name")
			names[f.name] = true
			text := string(f.svg())
			decoder := xml.NewDecoder(strings.NewReader(text))
			for {
				_, err := decoder.Token()
				if err == io.EOF {
					break
				}
				require.NoError(t, err)
			}
			assert.Equal(t, 1, strings.Count(text, "http"), "the only address is the name space")
			assert.NotContains(t, text, "NaN")
			assert.NotContains(t, text, "Inf")
			assert.Contains(t, text, "<title id=\"plot-"+f.name+"-title\">")
			source := []string{one.Machine.Device, one.Machine.Driver, one.Machine.Library, "; 202"}
			if strings.HasPrefix(f.name, "timeline-") {
				source = []string{"Emulated, not measured", "No GPU was used"}
			}
			for _, says := range source {
				assert.Contains(t, f.caption[len(f.caption)-1], says)
			}
			assert.Less(t, len(text), 60_000, "bytes")

			table, err := f.csv()
			require.NoError(t, err)
			assert.Greater(t, len(f.table), 5, "rows of the table")
			for line, row := range f.table {
				assert.Len(t, row, len(f.table[0]), "row %d has a value for each column", line)
			}
			assert.Equal(t, len(f.table), strings.Count(string(table), "\n"))
		})
	}
}

// TestInPlace: no word and no mark of a figure lies outside of it, and no word
// covers another.
func TestInPlace(t *testing.T) {
	type element struct {
		X       float64 `xml:"x,attr"`
		Y       float64 `xml:"y,attr"`
		Size    float64 `xml:"font-size,attr"`
		Anchor  string  `xml:"text-anchor,attr"`
		Weight  string  `xml:"font-weight,attr"`
		Rotated string  `xml:"transform,attr"`
		Says    string  `xml:",chardata"`
	}
	for _, f := range every(t) {
		t.Run(f.name, func(t *testing.T) {
			var svg struct {
				Height float64   `xml:"height,attr"`
				Texts  []element `xml:"text"`
			}
			require.NoError(t, xml.Unmarshal(f.svg(), &svg))
			require.NotEmpty(t, svg.Texts)
			type box struct {
				left, right, top, bottom float64
				says                     string
			}
			var boxes []box
			for _, e := range svg.Texts {
				if e.Rotated != "" {
					continue
				}
				style := words(0, foreground)
				style.Font.Size = vg.Length(e.Size)
				if e.Weight == "bold" {
					style.Font.Weight = bold
				}
				w := float64(style.Width(e.Says))
				left := e.X - map[string]float64{"": 0, "middle": w / 2, "end": w}[e.Anchor]
				b := box{left, left + w, e.Y - capitals*e.Size, e.Y, e.Says}
				assert.GreaterOrEqual(t, b.left, 8.0, e.Says)
				assert.LessOrEqual(t, b.right, width-8.0, e.Says)
				assert.GreaterOrEqual(t, b.top, 8.0, e.Says)
				assert.LessOrEqual(t, b.bottom, svg.Height-8, e.Says)
				for _, other := range boxes {
					apart := b.left >= other.right || other.left >= b.right || b.top >= other.bottom || other.top >= b.bottom
					assert.True(t, apart, "%q covers %q", e.Says, other.says)
				}
				boxes = append(boxes, b)
			}
		})
	}
}
