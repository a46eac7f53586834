package plots

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gohopper/internal/report"
)

// What an SM of compute capability 9.0 has, and in which pieces it gives
// registers to warps and shared memory to CTAs (CUDA C++ Programming Guide,
// "Compute Capabilities"; the pieces are those of NVIDIA's occupancy
// calculator).
const (
	smRegisters   = 65536
	smShared      = 228 * 1024
	smWarps       = 64
	warpRegisters = 256  // a warp's registers are a multiple
	warpGroup     = 4    // warps find room in fours, one for each part of the SM
	ctaShared     = 1024 // that each CTA takes on top of its own
	sharedPiece   = 128
)

// footprint is what one CTA takes of an SM, and how many fit.
type footprint struct {
	registers, shared int
	ctas              int
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// footprint adds a kernel's registers and shared memory up.
func (k kernel) footprint(b report.Build) footprint {
	warps := k.threads / 32
	perWarp := roundUp(32*b.Registers, warpRegisters)
	f := footprint{registers: warps * perWarp, shared: roundUp(b.SharedBytes+ctaShared, sharedPiece)}
	room := min(smRegisters/perWarp/warpGroup*warpGroup, smWarps)
	f.ctas = min(room/warps, smShared/f.shared)
	return f
}

// budget shows what the CTAs of each lesson take of an SM.
func budget(r records) (figure, error) {
	ladder, _, err := r.steps()
	if err != nil {
		return figure{}, err
	}
	p := newPanel(350, "share of an SM, %", "threads of a CTA × registers of a thread; CTAs on an SM")
	scale(&p.Y, whole, steps(0, 100, 20)...)
	table := [][]string{{"lesson", "threads", "registers_per_thread", "registers_of_cta", "shared_bytes", "shared_of_cta", "ctas_on_sm"}}
	var names []string
	var all []measured
	for i, s := range ladder {
		k, err := s.kernel()
		if err != nil {
			return figure{}, err
		}
		if s.Build == nil || s.Build.Registers == 0 {
			return figure{}, fmt.Errorf("%s does not say what the driver made of %s: record it again with lesson bench", r.ladder.path, s.Name)
		}
		f := k.footprint(*s.Build)
		if f.ctas == 0 {
			return figure{}, fmt.Errorf("%s: by its record, no CTA of %s fits an SM: %d registers and %d bytes", r.ladder.path, s.Name, f.registers, f.shared)
		}
		ctas := "1 CTA"
		if f.ctas > 1 {
			ctas = fmt.Sprintf("%d CTAs", f.ctas)
		}
		names = append(names, fmt.Sprintf("%s\n%d × %d\n%s", s.Name, k.threads, s.Build.Registers, ctas))
		all = append(all, s.measured)
		for j := range f.ctas {
			p.Add(share(blue, false, float64(i)-0.35, float64(i)-0.03, f.registers, smRegisters, j),
				share(vermillion, true, float64(i)+0.03, float64(i)+0.35, f.shared, smShared, j))
		}
		table = append(table, []string{s.Name, fmt.Sprint(k.threads), fmt.Sprint(s.Build.Registers), fmt.Sprint(f.registers),
			fmt.Sprint(s.Build.SharedBytes), fmt.Sprint(f.shared), fmt.Sprint(f.ctas)})
	}
	p.categories(names)
	return figure{
		name: "budget", title: "What a CTA takes of an SM",
		key: []entry{
			boxKey(blue, false, fmt.Sprintf("registers, of %d", smRegisters)),
			boxKey(vermillion, true, fmt.Sprintf("shared memory, of %d KiB", smShared/1024)),
		},
		panels: []panel{p}, table: table,
		caption: []string{
			"A box for each CTA that fits: another one would pass the 100 %. At most 227 KiB of the shared memory may be one CTA's.",
			fmt.Sprintf("Registers and shared memory are the driver's for the kernels of the ladder; a warp's registers are rounded up to %d, and a CTA takes %d bytes more than it asks for. How many fit is computed from that. V6 and V7 move registers between their warpgroups, in the same total.", warpRegisters, ctaShared),
			provenance(all)},
	}, nil
}

// share is the box of CTA number j, which takes part of a whole.
func share(of ink, hatched bool, left, right float64, part, whole, j int) mark {
	percent := 100 * float64(part) / float64(whole)
	return func(c draw.Canvas, x, y func(float64) vg.Length) {
		box(&c, of, hatched, vg.Rectangle{
			Min: vg.Point{X: x(left), Y: y(percent*float64(j)) + 1}, Max: vg.Point{X: x(right), Y: y(percent*float64(j+1)) - 1},
		})
	}
}

// box is a rectangle with an edge, lightly filled or hatched.
func box(c *draw.Canvas, of ink, hatched bool, r vg.Rectangle) {
	opacity := 0.45
	if hatched {
		opacity = 0.12
	}
	fill(c, of.at(opacity), r)
	outline(c, of, r, hatched)
}

// boxKey explains a box.
func boxKey(of ink, hatched bool, means string) entry {
	return entry{func(c *draw.Canvas, at vg.Rectangle) { box(c, of, hatched, at) }, means}
}
