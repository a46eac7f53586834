package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ask is a figure under some settings.
func ask(name string, set map[string]string, changed string) answer {
	return query{Figure: name, Set: set, Changed: changed}.answer(figures())
}

func TestServe(t *testing.T) {
	in := `{"figure":"swizzle"}` + "\n" + `{"figure":` + "\n" + `{"figure":"raster","set":{"m":"512","n":"512"}}` + "\n"
	var out bytes.Buffer
	require.NoError(t, serve(strings.NewReader(in), &out))
	var got []answer
	for d := json.NewDecoder(&out); ; {
		var a answer
		if err := d.Decode(&a); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		got = append(got, a)
	}
	require.Len(t, got, 3, "a line for each line")
	assert.Equal(t, "swizzle", got[0].Figure)
	assert.Contains(t, got[1].Wrong, "the question is no JSON")
	assert.Equal(t, "raster", got[2].Figure, "a wrong question does not end it")
	assert.NotEmpty(t, got[2].Drawing)
}

func TestWrong(t *testing.T) {
	for _, c := range []struct {
		why, figure string
		set         map[string]string
		changed     string
		want        string
	}{
		{"a figure that is none", "tiles", nil, "", "there are swizzle, descriptor, mbarrier, raster"},
		{"a setting that is none", "swizzle", map[string]string{"rowz": "1"}, "", `has no setting "rowz"`},
		{"no number", "swizzle", map[string]string{"rows": "x"}, "", `rows of the tile is "x"; give a whole number`},
		{"a number beyond its limits", "swizzle", map[string]string{"rows": "33"}, "", "rows of the tile is 33; it is 1 to 32"},
		{"a number between its steps", "descriptor", map[string]string{"start": "1032"}, "", "it goes in steps of 16 from 0"},
		{"a choice that is none", "swizzle", map[string]string{"mode": "256"}, "", "it is one of none, 32, 64, 128"},
		{"a row beyond the span: the tensor map's own words", "swizzle", map[string]string{"mode": "32"}, "", "Box[0]"},
		{"a value that is none", "descriptor", map[string]string{"value": "0x1_0000_0000_0000_0000"}, "value", "give a number of 64 bits"},
		{"tf32 along M", "descriptor", map[string]string{"type": "tf32", "major": "mn"}, "", "elements of 16 bits alone"},
		{"a step that is none", "mbarrier", map[string]string{"steps": "leave"}, "steps", `there is no step "leave"`},
		{"a parity that is none", "mbarrier", map[string]string{"steps": "wait 2"}, "steps", "wait takes one number, 0 to 1"},
		{"a step without its number", "mbarrier", map[string]string{"steps": "arrive; complete_tx"}, "steps", "complete_tx takes one number"},
		{"an arrival with a number", "mbarrier", map[string]string{"steps": "arrive 2"}, "steps", "arrive takes no number"},
		{"no steps", "mbarrier", map[string]string{"steps": " ; "}, "steps", "there are no steps"},
		{"too many waits", "mbarrier", map[string]string{"steps": strings.Repeat("wait 1;", 5)}, "steps", "room for 4"},
		{"too many steps", "mbarrier", map[string]string{"steps": strings.Repeat("arrive;", 15)}, "steps", "room for 14"},
		{"too many tiles", "raster", map[string]string{"m": "16384", "tile-n": "64"}, "", "take larger tiles"},
	} {
		t.Run(c.why, func(t *testing.T) {
			a := ask(c.figure, c.set, c.changed)
			assert.Contains(t, a.Wrong, c.want)
			assert.Empty(t, a.Drawing)
		})
	}
}

// TestDrawings: under many settings an answer has all its parts, its drawing is
// XML within its own width, and a second answer is the same.
func TestDrawings(t *testing.T) {
	for _, c := range []struct {
		figure string
		set    map[string]string
	}{
		{"swizzle", nil},
		{"swizzle", map[string]string{"mode": "32", "columns": "16", "read": "ld"}},
		{"swizzle", map[string]string{"mode": "none", "type": "8", "columns": "256", "rows": "32"}},
		{"descriptor", nil},
		{"descriptor", map[string]string{"rows": "64", "stride": "4096", "swizzle": "0", "leading": "128"}},
		{"descriptor", map[string]string{"major": "mn", "rows": "64", "leading": "8192"}},
		{"mbarrier", nil},
		{"mbarrier", map[string]string{"steps": "wait 0; wait 1; wait 0; wait 1; expect_tx 1000000"}},
		{"raster", nil},
		{"raster", map[string]string{"m": "256", "n": "256", "order": "linear"}},
		{"raster", map[string]string{"m": "16384", "n": "16384", "tile-m": "256", "order": "rows", "group": "5", "sms": "8", "wave": "16"}},
	} {
		a := ask(c.figure, c.set, "")
		require.Empty(t, a.Wrong, "%v", c)
		assert.NotEmpty(t, a.Said)
		assert.NotEmpty(t, a.Table.Rows)
		for _, row := range a.Table.Rows {
			assert.Len(t, row, len(a.Table.Head))
		}
		for d := xml.NewDecoder(strings.NewReader(a.Drawing)); ; {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, "%v", c)
		}
		assert.Equal(t, a, ask(c.figure, c.set, ""), "the same again")
	}
}
