package report

import "fmt"

// Schema is the first field of every file and names its version.
const Schema = schemaName + "1"

const schemaName = "gohopper report " // of every version

// File is a list of results, as stored.
type File struct {
	Schema  string   `json:"schema"`
	Results []Result `json:"results"`
}

// Origin says how far a result may be believed.
type Origin string

// The origins of a result.
const (
	Recorded Origin = "recorded" // measured on a GPU
	Modelled Origin = "modelled" // times by the timing model
	Emulated Origin = "emulated" // computed by the emulator, without times
)

// Result is one kernel on one shape in one process.
type Result struct {
	Lesson  string         `json:"lesson"` // "v6"
	Kernel  string         `json:"kernel"` // name of the PTX entry
	Origin  Origin         `json:"origin"`
	Process int            `json:"process"` // 1 for the first fresh process, and so on
	Date    string         `json:"date"`    // RFC 3339
	Shape   Shape          `json:"shape"`
	Type    string         `json:"type"` // of the elements: "f16", "bf16", …
	Seed    uint64         `json:"seed"` // of the operands
	Config  map[string]int `json:"config,omitempty"`
	Machine Machine        `json:"machine"`
	Build   *Build         `json:"build,omitempty"`
	Before  Verification   `json:"verified_before"`          // before timing
	After   *Verification  `json:"verified_after,omitempty"` // after timing, if there was any
	Timing  *Timing        `json:"timing,omitempty"`
	Summary *Summary       `json:"summary,omitempty"` // derived from Timing; Write sets it
}

// Shape is that of C = A·Bᵀ.
type Shape struct {
	M int `json:"m"`
	N int `json:"n"`
	K int `json:"k"`
}

func (s Shape) String() string { return fmt.Sprintf("%dx%dx%d", s.M, s.N, s.K) }

// TFLOPS is the rate of a product that takes ms milliseconds.
func (s Shape) TFLOPS(ms float64) float64 {
	return 2 * float64(s.M) * float64(s.N) * float64(s.K) / (ms * 1e9)
}

// Machine is where a result comes from.
type Machine struct {
	Device  string `json:"device"` // "NVIDIA H200"
	Driver  string `json:"driver,omitempty"`
	CUDA    string `json:"cuda,omitempty"`
	Library string `json:"library,omitempty"` // "cuBLAS 13.1.0"
}

// String names all of it: "NVIDIA H200, driver 580.159.04, CUDA 13.0, cuBLAS
// 13.1.0".
func (m Machine) String() string {
	return fmt.Sprintf("%s, driver %s, CUDA %s, %s", m.Device, m.Driver, m.CUDA, m.Library)
}

// Build is what the driver's compiler made of the PTX.
type Build struct {
	CompileMS   float64 `json:"compile_ms"`
	Registers   int     `json:"registers"` // per thread
	SpillBytes  int     `json:"spill_bytes"`
	SharedBytes int     `json:"shared_bytes"` // per CTA
}

// Verification is the outcome of a comparison with the reference.
type Verification struct {
	OK bool `json:"ok"`
	// Worst is the largest error in units of its bound, within 1 when right.
	// For a NaN write math.MaxFloat64: JSON has no infinity.
	Worst float64 `json:"worst"`
	// MeanError and MaxError are the errors against a float64 product, of a C
	// scaled to unit variance: divided by √K, for standard normal operands. 0
	// where a record does not have them.
	MeanError float64 `json:"mean_error,omitempty"`
	MaxError  float64 `json:"max_error,omitempty"`
}

// Timing is every sample, and how it was taken.
type Timing struct {
	Method        Method  `json:"method"`
	LibraryBefore *Series `json:"library_before,omitempty"`
	Ours          Series  `json:"ours"`
	LibraryAfter  *Series `json:"library_after,omitempty"`
}

// Method is how each series was taken.
type Method struct {
	WarmUps    int     `json:"warm_ups"`   // calls before the first sample
	Iterations int     `json:"iterations"` // timed calls of a sample, which is their mean
	PauseS     float64 `json:"pause_s"`    // rest before each series
}

// Series is one uninterrupted row of samples.
type Series struct {
	SamplesMS []float64 `json:"samples_ms"` // milliseconds of one call
	Before    *Reading  `json:"before,omitempty"`
	After     *Reading  `json:"after,omitempty"`
}

// Reading is the state of a card at one moment.
type Reading struct {
	SMClockMHz  int     `json:"sm_clock_mhz"`
	MemClockMHz int     `json:"mem_clock_mhz"`
	PowerW      float64 `json:"power_w"`
	TempC       int     `json:"temp_c"`
}

// Day is the date without the time, "2026-11-29". The date must be valid.
func (r Result) Day() string { return r.Date[:len("2006-01-02")] }

// name identifies a result in a message.
func (r Result) name() string {
	return fmt.Sprintf("%s %s %s %v process %d", r.Lesson, r.Kernel, r.Type, r.Shape, r.Process)
}
