package labtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
	"gohopper/pkg/hopper/ptx"
)

var ptxFolder = flag.String("ptx", "", "write the PTX of every tile of the lesson's tile space to this `folder`, and verify nothing")

// printTiles writes the PTX of a lesson's default tile and of every tile of its
// space, for each element type, to a file of its own: work for an assembler,
// which sees in a tile what an emulator cannot, the registers it needs. A file
// is named for the lesson, the fields of the tile and the type:
// v6_128_320_64_3_8_f16.ptx.
func printTiles[T any](t *testing.T, l lab.Lesson[T], folder string) {
	for _, tile := range slices.Concat([]T{l.Tile}, l.Space) {
		for _, e := range []lab.Elem{lab.F16, lab.BF16} {
			m, err := l.Kernel(tile, e.Word).Module()
			require.NoError(t, err, "tile %+v", tile)
			fields := strings.ReplaceAll(strings.Trim(fmt.Sprint(tile), "{}"), " ", "_")
			path := filepath.Join(folder, fmt.Sprintf("%s_%s_%s.ptx", l.Name, fields, e.Word))
			require.NoError(t, os.WriteFile(path, []byte(ptx.Print(m)), 0o644))
		}
	}
}
