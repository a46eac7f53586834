package tensortest

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the files of figures anew")

// figures is a file of figures as package excerpt reads it: the page quotes it.
type figures struct {
	Schema  string                    `json:"schema"`
	About   string                    `json:"about"`
	Date    string                    `json:"date"`
	Machine machine                   `json:"machine"`
	Means   map[string]string         `json:"means"`
	Figures map[string]map[string]int `json:"figures"`
}

type machine struct {
	Device string `json:"device"`
	Driver string `json:"driver"`
	CUDA   string `json:"cuda"`
}

const figuresSchema = "gohopper figures 1"

func readFigures(t *testing.T, name string) (f figures) {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &f))
	require.Equal(t, figuresSchema, f.Schema)
	return f
}

func (f figures) write(name string) error {
	f.Schema = figuresSchema
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o644)
}

// golden holds figures that a test computed against the file that has them.
func (f figures) golden(t *testing.T, name string) {
	if *update {
		require.NoError(t, f.write(name))
	}
	require.Equal(t, readFigures(t, name).Figures, f.Figures, "%s: run with -update and look at what changes", name)
}
