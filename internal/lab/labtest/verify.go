package labtest

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/sanitize"
)

// Case is a product to verify.
type Case struct {
	matrix.Shape
	Why   string
	Seeds int // how many seeds of the data and of the emulator's schedule; 0: one
	SMs   int // to plan the launch for; 0: the device's
}

// manySeeds is the number of seeds for the shapes of Cases that are checked
// under many schedules.
const manySeeds = 20

// Cases is the shapes on which a kernel of this tile with a ring of so many
// stages goes wrong: those of matrix.Shapes, and two under many seeds.
func Cases(t matrix.Tile, stages int) []Case {
	cases := []Case{
		{Shape: matrix.Shape{M: 1, N: 8, K: 8}, Why: "the least that TMA can load", Seeds: manySeeds},
		{Shape: matrix.Shape{M: 129, N: 264, K: 520}, Why: "just over whole tiles in every dimension", Seeds: manySeeds},
	}
	for _, c := range matrix.Shapes(t, stages) {
		if c.Shape != cases[0].Shape {
			cases = append(cases, Case{Shape: c.Shape, Why: c.Why})
		}
	}
	return cases
}

// Verify runs a lesson's kernel on the emulator, and on the GPU where there is
// one, and requires a right result without findings. Both machines are given
// the same bytes of PTX and the same data, and their results must agree.
func Verify[T any](t *testing.T, l lab.Lesson[T], cases ...Case) {
	gpu, missing := openGPU(t)
	for _, c := range cases {
		t.Run(c.Shape.String(), func(t *testing.T) {
			for seed := int64(1); seed <= c.seeds(); seed++ {
				t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { verify(t, l, c, gpu, seed) })
			}
		})
	}
	if gpu == nil {
		t.Run("on a GPU", func(t *testing.T) { t.Skip(missing) })
	}
}

// Tiles verifies every tile of a lesson's tile space on one shape. With the
// flag -ptx it only writes the tiles' PTX.
func Tiles[T any](t *testing.T, l lab.Lesson[T], s matrix.Shape) {
	if *ptxFolder != "" {
		printTiles(t, l, *ptxFolder)
		return
	}
	gpu, _ := openGPU(t)
	for _, tile := range l.Space {
		l := l
		l.Tile, l.Choose = tile, nil
		t.Run(fmt.Sprintf("%+v", tile), func(t *testing.T) {
			verify(t, l, Case{Shape: s, Why: "each tile that -tune measures must be right"}, gpu, 1)
		})
	}
}

// Large verifies a lesson's kernel on the GPU on shapes that would keep an
// emulator busy for minutes, and on the odd ones.
func Large[T any](t *testing.T, l lab.Lesson[T]) {
	if testing.Short() {
		t.Skip("-short: large shapes take seconds each on the host")
	}
	gpu, missing := openGPU(t)
	if gpu == nil {
		t.Skip(missing)
	}
	for _, s := range []matrix.Shape{
		{M: 8192, N: 8192, K: 8192}, {M: 4096, N: 4096, K: 14336},
		{M: 1000, N: 1016, K: 968}, {M: 1, N: 8, K: 8}, {M: 129, N: 264, K: 520},
	} {
		t.Run(s.String(), func(t *testing.T) {
			w := run(t, l, Case{Shape: s, Why: "a shape of real work"}, gpu, 1)
			t.Log(w.Verdict)
		})
	}
}

func (c Case) seeds() int64 {
	if testing.Short() {
		return int64(min(max(c.Seeds, 1), 2))
	}
	return int64(max(c.Seeds, 1))
}

// elem is the element type that goes with a seed: f16 with odd ones.
func elem(seed int64) lab.Elem {
	if seed%2 == 0 {
		return lab.BF16
	}
	return lab.F16
}

func verify[T any](t *testing.T, l lab.Lesson[T], c Case, gpu device.Device, seed int64) {
	machine := emu.New(emu.Config{Seed: seed, SMs: c.SMs, Observe: sanitize.Observe})
	defer machine.Close()
	emulated := run(t, l, c, machine, seed)
	if gpu == nil {
		return
	}
	real := run(t, l, c, gpu, seed)
	require.Equal(t, sha256.Sum256([]byte(emulated.Text)), sha256.Sum256([]byte(real.Text)), "both machines run the same bytes")
	assert.NoError(t, agree(emulated.Result, real.Result))
	t.Logf("PTX %.8x… on both machines: %d elements have the same bits", sha256.Sum256([]byte(real.Text)), c.M*c.N)
}

// run computes a case on one device and requires that its result is right and
// that nothing was found.
func run[T any](t *testing.T, l lab.Lesson[T], c Case, dev device.Device, seed int64) *lab.Work {
	e := elem(seed)
	p, err := lab.NewProduct(dev, c.Shape, e, seed)
	require.NoError(t, err)
	defer func() { assert.NoError(t, p.Close()) }()
	sms := c.SMs
	if sms == 0 {
		sms = dev.Info().SMs
	}
	tile := l.TileFor(c.Shape, sms)
	w, err := p.Work(l.Name, l.Kernel(tile, e.Word), l.Plan(tile, c.Shape, sms), lab.Values(l.Flags, tile))
	require.NoError(t, err)
	ref, err := p.Reference()
	require.NoError(t, err)
	var said strings.Builder
	err = w.Check(dev, ref, &said)
	require.NoError(t, err, "%s, %s on %s\n%s", c.Why, e.Word, dev.Info().Name, said.String())
	return w
}
