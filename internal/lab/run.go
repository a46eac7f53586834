package lab

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"gohopper/internal/matrix"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/ptx"
)

// run is a lesson's whole course after the command line has been read.
func (l Lesson[T]) run(o *Options, tile T, stdout, stderr io.Writer) error {
	if o.PTX {
		return l.print(tile, o, stdout)
	}
	dev, err := o.Open(stderr)
	if err != nil {
		return err
	}
	defer dev.Close()
	s := o.ShapeOn(dev)
	if !o.gave(Values(l.Flags, tile)) {
		tile = l.TileFor(s, dev.Info().SMs)
	}
	p, err := NewProduct(dev, s, o.Elem, o.Seed)
	if err != nil {
		return err
	}
	defer p.Close()
	if o.Tune {
		return l.tune(o, p, stdout, stderr)
	}
	if o.Ablate != "" {
		return l.ablate(o, p, tile, stdout, stderr)
	}
	w, err := p.Work(l.Name, l.Kernel(tile, o.Elem.Word), l.Plan(tile, s, dev.Info().SMs), Values(l.Flags, tile))
	if err != nil {
		return err
	}
	ref, err := o.Reference(p.A, p.B)
	if err != nil {
		return err
	}
	Introduce(stdout, l.Name, l.Title, dev, w)
	return Conduct(o, dev, w, ref, stdout, stderr)
}

// print writes the PTX, the same bytes that a device is given.
func (l Lesson[T]) print(tile T, o *Options, stdout io.Writer) error {
	m, err := l.Kernel(tile, o.Elem.Word).Module()
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, ptx.Print(m))
	return err
}

// Values is a tile's parameters by the names of the flags that set them; a
// boolean is 0 or 1.
func Values[T any](flags func(*flag.FlagSet, *T), tile T) map[string]int {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	flags(fs, &tile)
	v := map[string]int{}
	fs.VisitAll(func(f *flag.Flag) {
		switch value := f.Value.(flag.Getter).Get().(type) {
		case int:
			v[f.Name] = value
		case bool:
			v[f.Name] = 0
			if value {
				v[f.Name] = 1
			}
		}
	})
	return v
}

// Introduce says what is about to run.
func Introduce(w io.Writer, name, title string, dev device.Device, k *Work) {
	fmt.Fprintf(w, "%s: %s\n", name, title)
	fmt.Fprintf(w, "  kernel   %s, %d threads, %.0f KiB shared, %s\n", k.Kernel, k.Threads, float64(k.Shared)/1024, describe(k.Tile))
	fmt.Fprintf(w, "  device   %s\n", describeDevice(dev))
	fmt.Fprintf(w, "  shape    C[%d x %d] = A[%d x %d] B[%d x %d]ᵀ, %s, %d CTAs\n",
		k.Shape.M, k.Shape.N, k.Shape.M, k.Shape.K, k.Shape.N, k.Shape.K, k.Elem.Word, k.CTAs)
}

func describe(tile map[string]int) string {
	var parts []string
	for _, name := range sortedKeys(tile) {
		parts = append(parts, fmt.Sprintf("%s %d", name, tile[name]))
	}
	return strings.Join(parts, ", ")
}

func describeDevice(dev device.Device) string {
	i := dev.Info()
	if !i.Real {
		return fmt.Sprintf("%s, seed %d (results only; no GPU is used)", i.Name, i.EmulatorSeed)
	}
	return fmt.Sprintf("%s, %d SMs, driver %s, CUDA %s", i.Name, i.SMs, i.Driver, i.CUDA)
}

// Conduct verifies the work and, on a device that keeps time, times it beside
// the library and verifies it again. No speed is printed before a pass.
func Conduct(o *Options, dev device.Device, w *Work, ref *matrix.Reference, stdout, stderr io.Writer) error {
	err := w.Check(dev, ref, stderr)
	if err := errors.Join(err, o.writeTrace(stdout)); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "  result   %v\n", w.Verdict)
	if !dev.Info().Real {
		products := float64(w.Shape.M) * float64(w.Shape.N) * float64(w.Shape.K)
		fmt.Fprintf(stdout, "  emulated %.2f s of this computer's time, %.2f GMAC/s\n",
			w.Emulation.Seconds(), products/w.Emulation.Seconds()/1e9)
	}
	r := newResult(o, dev, w)
	if dev.Info().Real {
		b, err := openBench(dev, o.Pause)
		if err != nil {
			return err
		}
		defer b.close()
		if b.yard == nil {
			fmt.Fprintf(stderr, "note: no library to compare with: %v\n", b.missing)
		}
		if err := b.measure(w, ref, r, stderr); err != nil {
			return err
		}
		printTiming(stdout, r)
	}
	return o.record(r, stdout)
}
