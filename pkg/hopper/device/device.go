// Package device is what a host program needs from any machine that runs PTX:
// memory, tensor maps, loading a module, launching a kernel. A GPU
// (pkg/hopper/cuda) and the emulator (pkg/hopper/emu) both satisfy it, and the
// suite in devicetest holds them to the same behaviour.
//
// The package must not know either machine, nor how a kernel is written: a
// module arrives here as PTX text, the same bytes on every device.
package device

// Ptr is an address in device memory.
type Ptr uint64

// Info describes a device.
type Info struct {
	Name         string // "NVIDIA H200", "emulator"
	Real         bool   // false: results are executed, times are not to be believed
	SMs          int    // streaming multiprocessors: what a persistent kernel launches
	Capability   [2]int // compute capability, {9, 0} on Hopper
	SharedBytes  int    // most dynamic shared memory one CTA may have, in bytes
	L2Bytes      int
	Driver       string // driver version, "" where there is none
	CUDA         string // CUDA version that the driver supports, "" where there is none
	TotalMemory  uint64 // bytes
	MaxClockMHz  int
	PowerLimitW  int
	EmulatorSeed int64 // the seed of the schedule; 0 on a GPU
}

// Device is a machine. Its methods are for one goroutine at a time. Work is
// ordered as on one CUDA stream: Launch may return before the kernel has
// finished, Upload, Download and Synchronize do not.
type Device interface {
	Info() Info

	// Alloc reserves bytes of device memory, aligned to 256 bytes. What it
	// holds is undefined until written.
	Alloc(bytes int) (Ptr, error)
	Free(Ptr) error
	Upload(dst Ptr, src []byte) error
	Download(dst []byte, src Ptr) error
	// Fill sets n bytes from dst to b, as cuMemsetD8 does.
	Fill(dst Ptr, b byte, n int) error

	// EncodeTiled makes the 128-byte object of a tiled tensor map, the
	// driver's cuTensorMapEncodeTiled. Its bytes mean something only to the
	// device that made it; pass it to a kernel with Map.
	EncodeTiled(TensorMap) (EncodedMap, error)

	// Load compiles PTX text. The error names the PTX line where it can.
	Load(text string) (Module, error)

	// Synchronize waits for all launched work and reports its failure.
	Synchronize() error
	Close() error
}

// Module is loaded PTX.
type Module interface {
	Kernel(name string) (Kernel, error)
	// Log is what the compiler said: warnings and resource use. It is empty
	// on the emulator.
	Log() string
	Close() error
}

// Kernel is an entry of a module.
type Kernel interface {
	// Launch runs the kernel. Args are given in the order of the entry's
	// parameters; Int32, Uint32, Int64, Float32, Pointer and Map make them.
	// A launch that the device refuses is an error; a kernel that misbehaves
	// on the emulator is not: it is a finding (see Findings).
	Launch(l Launch, args ...Arg) error
	// Resources is what the device's compiler chose for the kernel.
	Resources() Resources
}

// Resources of a compiled kernel. The emulator knows only SharedBytes.
type Resources struct {
	Registers   int // per thread, at launch
	LocalBytes  int // per thread; more than the kernel declared means spills
	SharedBytes int // static, per CTA
	MaxThreads  int // per CTA
}

// Launch is the shape of a launch.
type Launch struct {
	Grid    [3]int // CTAs
	Block   [3]int // threads per CTA
	Cluster [3]int // CTAs per cluster; zero where the entry fixes it or has none
	Shared  int    // dynamic shared memory per CTA, bytes
	// Overlap lets the kernel start before the one launched before it has
	// ended (programmatic stream serialization). It must execute
	// griddepcontrol.wait before it touches what that one reads or writes. The
	// emulator runs kernels one after the other all the same.
	Overlap bool
}
