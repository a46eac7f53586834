package device

import "gohopper/pkg/hopper/event"

// Observer is a device that explains what a kernel did wrong: the emulator.
type Observer interface {
	// Findings returns what the launches since the last call found, in a
	// fixed order for a fixed seed.
	Findings() []event.Finding
}

// Timer is a device whose time means something: a GPU.
type Timer interface {
	// Time runs work between two events of the device's stream and returns
	// the milliseconds between them.
	Time(work func() error) (ms float64, err error)
}

// Reading is the state of a card at one moment.
type Reading struct {
	SMClockMHz  int     `json:"sm_clock_mhz"`
	MemClockMHz int     `json:"mem_clock_mhz"`
	PowerW      float64 `json:"power_w"`
	TempC       int     `json:"temp_c"`
}

// Sensor is a device that can be asked for its clocks, power and temperature,
// also by another goroutine while work runs.
type Sensor interface {
	Read() (Reading, error)
}

// ElemType is the type of a matrix element that the vendor's library and the
// lessons share.
type ElemType string

// Element types of the matrix product.
const (
	F16  ElemType = "f16"
	BF16 ElemType = "bf16"
)

// Library is the vendor's matrix product, the yardstick.
type Library interface {
	// Name is the library and its version, "cuBLAS 13.1.0".
	Name() string
	// MatMul enqueues C = A Bᵀ with float32 accumulation: A is m x k, B is
	// n x k, C is m x n, all row-major, densely packed and of type t.
	MatMul(t ElemType, m, n, k int, a, b, c Ptr) error
	Close() error
}

// LibraryOwner is a device that may have such a library. The error says what
// is missing; a run goes on without the yardstick.
type LibraryOwner interface {
	Library() (Library, error)
}
