package lab

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"gohopper/internal/matrix"
	"gohopper/internal/report"
	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
	"gohopper/pkg/hopper/trace"
)

// Options is the flags that every lesson has.
type Options struct {
	Shape  matrix.Shape
	Seed   int64
	Device string // "auto", "emu" or "cuda"
	Elem   Elem
	PTX    bool
	Bench  bool
	Tune   bool
	Ablate string        // an ablation's name, "all", or "" for none
	Pause  time.Duration // before each timed window
	JSON   string        // where to write the report, "" for nowhere
	Kept   string        // folder of reference products that processes share, "" for none
	// Sanitize looks for hazards in what the emulator runs.
	Sanitize bool
	Trace    string // where to write a timeline of what the emulator runs, "" for nowhere
	// TraceLimit is about how many entries the timeline may have.
	TraceLimit int

	recorder *trace.Recorder // of the timeline; nil for none
	fs       *flag.FlagSet
	shared   map[string]bool // the flags declared here; any other sets the tile
	given    map[string]bool // flags on the command line
	small    matrix.Shape
}

// large is the shape that a GPU runs when none is given.
var large = matrix.Shape{M: 8192, N: 8192, K: 8192}

// Limits of what the flags may ask for. They are far above what is useful and
// keep a slip of the finger from filling the host's memory.
const (
	maxSize     = 1 << 20 // of m, n and k
	maxElements = 1 << 31 // of one matrix, 4 GiB
	maxTile     = 4096    // of a tile's parameter
)

// NewOptions declares the flags. Small is the shape for the emulator. The
// integer flags that are declared on fs afterwards are the tile's parameters.
func NewOptions(fs *flag.FlagSet, small matrix.Shape) *Options {
	o := &Options{fs: fs, small: small, Elem: F16, shared: map[string]bool{}}
	fs.IntVar(&o.Shape.M, "m", 0, fmt.Sprintf("rows of A and C (default %d on the emulator, %d on a GPU)", small.M, large.M))
	fs.IntVar(&o.Shape.N, "n", 0, fmt.Sprintf("rows of B, columns of C; a multiple of 8 (default %d, %d)", small.N, large.N))
	fs.IntVar(&o.Shape.K, "k", 0, fmt.Sprintf("columns of A and B; a multiple of 8 (default %d, %d)", small.K, large.K))
	fs.Int64Var(&o.Seed, "seed", 1, "seed of the data and of the emulator's schedule")
	fs.StringVar(&o.Device, "device", "auto", "where to run: emu, cuda, or auto for a GPU where there is one")
	fs.Var(&o.Elem, "type", "element type: f16 or bf16")
	fs.BoolVar(&o.PTX, "ptx", false, "print the kernel's PTX and stop")
	fs.BoolVar(&o.Bench, "bench", false, "insist on timing: fail where there is no GPU")
	fs.DurationVar(&o.Pause, "pause", Pause, "rest before each timed window on a GPU; published numbers use the default")
	fs.BoolVar(&o.Sanitize, "sanitize", true, "look for hazards in what the emulator runs; false is faster")
	fs.StringVar(&o.JSON, "json", "", "write the recorded result to this `file`")
	fs.StringVar(&o.Kept, "reference", "", "keep reference products in this `folder`, which processes on the same data then share")
	fs.StringVar(&o.Trace, "trace", "", "write a timeline of the first cluster to this `file`, for ui.perfetto.dev; on the emulator")
	fs.IntVar(&o.TraceLimit, "trace-limit", trace.Limit, "end the timeline after about this many entries")
	fs.VisitAll(func(f *flag.Flag) { o.shared[f.Name] = true })
	return o
}

// Parse reads the command line. It returns flag.ErrHelp for -h.
func (o *Options) Parse(args []string) error {
	if err := o.fs.Parse(args); err != nil {
		return err
	}
	o.given = map[string]bool{}
	o.fs.Visit(func(f *flag.Flag) { o.given[f.Name] = true })
	if o.fs.NArg() > 0 {
		return fmt.Errorf("%q is not a flag: flags begin with -, and -h lists them", o.fs.Arg(0))
	}
	for _, check := range []func() error{o.checkWhere, o.checkShape, o.checkTile} {
		if err := check(); err != nil {
			return err
		}
	}
	if o.JSON != "" {
		if err := report.Writable(o.JSON); err != nil {
			return err
		}
	}
	if o.Kept != "" {
		if info, err := os.Stat(o.Kept); err != nil || !info.IsDir() {
			return fmt.Errorf("-reference %s: there is no such folder: make it first", o.Kept)
		}
	}
	return o.checkTrace()
}

// checkWhere refuses a device that is none, and what it cannot do.
func (o *Options) checkWhere() error {
	switch o.Device {
	case "auto", "cuda":
	case "emu":
		if o.Bench || o.Tune || o.Ablate != "" {
			return errNoSeconds
		}
	default:
		return fmt.Errorf("-device %s: it is auto, emu or cuda", o.Device)
	}
	if o.Pause < 0 {
		return fmt.Errorf("-pause %v: a rest cannot be negative", o.Pause)
	}
	if o.Seed < 0 {
		return fmt.Errorf("-seed %d: a seed is 0 or more", o.Seed)
	}
	return nil
}

// checkShape refuses what TMA cannot describe and what no machine can hold.
func (o *Options) checkShape() error {
	for _, d := range []struct {
		name     string
		size     int
		multiple int
	}{{"m", o.Shape.M, 1}, {"n", o.Shape.N, 8}, {"k", o.Shape.K, 8}} {
		switch {
		case o.given[d.name] && d.size < 1:
			return fmt.Errorf("-%s %d: a matrix has at least one row and one column", d.name, d.size)
		case d.size > maxSize:
			return fmt.Errorf("-%s %d: at most %d", d.name, d.size, maxSize)
		case d.size%d.multiple != 0:
			return fmt.Errorf("-%s %d: the strides of a TMA tensor map are multiples of 16 bytes, so n and k must be multiples of 8; the next is %d",
				d.name, d.size, (d.size/8+1)*8)
		}
	}
	for _, d := range []struct {
		name       string
		rows, cols int
	}{{"A", o.Shape.M, o.Shape.K}, {"B", o.Shape.N, o.Shape.K}, {"C", o.Shape.M, o.Shape.N}} {
		if d.rows*d.cols > maxElements {
			return fmt.Errorf("%s would have %d x %d elements: a matrix has at most %d, so choose smaller sizes",
				d.name, d.rows, d.cols, maxElements)
		}
	}
	return nil
}

// checkTile refuses parameters that stand for no tile at all. Whether a tile
// fits, the vocabulary says when the kernel is recorded.
func (o *Options) checkTile() error {
	var bad error
	o.fs.VisitAll(func(f *flag.Flag) {
		if o.shared[f.Name] {
			return
		}
		n, ok := f.Value.(flag.Getter).Get().(int)
		if ok && (n < 1 || n > maxTile) {
			bad = fmt.Errorf("-%s %d: it is 1 to %d", f.Name, n, maxTile)
		}
	})
	return bad
}

// Refuse reports a mistake on the command line. The flag package has already
// printed its own.
func (o *Options) Refuse(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if o.given != nil {
		fmt.Fprintf(o.fs.Output(), "%s: %v\n", o.fs.Name(), err)
	}
	return 2
}

// ShapeOn is the shape to run: what the flags say, and for the rest the
// default of the device.
func (o *Options) ShapeOn(dev device.Device) matrix.Shape {
	s := o.small
	if dev.Info().Real {
		s = large
	}
	if o.given["m"] {
		s.M = o.Shape.M
	}
	if o.given["n"] {
		s.N = o.Shape.N
	}
	if o.given["k"] {
		s.K = o.Shape.K
	}
	return s
}

// Elem is an element type in the terms of each package that has its own.
type Elem struct {
	Word    hopper.Elem
	Format  num.Format
	Map     device.MapType
	Library device.ElemType
}

// The element types of the lessons.
var (
	F16  = Elem{hopper.F16, num.FormatF16, device.MapF16, device.F16}
	BF16 = Elem{hopper.BF16, num.FormatBF16, device.MapBF16, device.BF16}
)

// String is the flag's value.
func (e *Elem) String() string { return string(e.Word) }

// Set reads the flag.
func (e *Elem) Set(name string) error {
	switch name {
	case "f16":
		*e = F16
	case "bf16":
		*e = BF16
	default:
		return fmt.Errorf("it is f16 or bf16")
	}
	return nil
}

// gave reports whether the command line set one of these flags.
func (o *Options) gave(flags map[string]int) bool {
	for name := range flags {
		if o.given[name] {
			return true
		}
	}
	return false
}
