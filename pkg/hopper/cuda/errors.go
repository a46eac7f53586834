package cuda

import (
	"errors"
	"fmt"

	"gohopper/pkg/hopper/ptx"
)

// What can keep a machine from running kernels. Errors of Open, of Load and of
// Status.Err wrap one of these; errors.Is tells them apart.
var (
	ErrNotBuilt  = errors.New("this program was built without GPU support: build it with -tags cuda (and cgo), or use -device emu")
	ErrNoDriver  = errors.New("no NVIDIA driver was found: install one until nvidia-smi runs, or use -device emu")
	ErrNoDevice  = errors.New("the NVIDIA driver sees no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES, or use -device emu")
	ErrOldDriver = errors.New("the NVIDIA driver is too old: update it, or use -device emu")
	ErrNotHopper = errors.New("the GPU is not a Hopper (compute capability 9.0, such as H100 or H200): use another one, or -device emu")
)

// cudaVersion is a CUDA release as the driver numbers it: 12040 is 12.4.
type cudaVersion int

func (v cudaVersion) String() string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// oldest is the first release with every driver call that this package makes;
// the last to come was cuFuncGetParamInfo.
const oldest cudaVersion = 12040

// isaReleases lists the first CUDA release whose driver compiles a PTX ISA
// version, newest first (PTX 13, "Release notes").
var isaReleases = [...]struct {
	isa  ptx.Version
	cuda cudaVersion
}{
	{ptx.Version{Major: 9, Minor: 0}, 13000},
	{ptx.Version{Major: 8, Minor: 8}, 12090},
	{ptx.Version{Major: 8, Minor: 7}, 12080},
	{ptx.Version{Major: 8, Minor: 6}, 12070},
	{ptx.Version{Major: 8, Minor: 5}, 12050},
	{ptx.Version{Major: 8, Minor: 4}, 12040},
	{ptx.Version{Major: 8, Minor: 3}, 12030},
	{ptx.Version{Major: 8, Minor: 2}, 12020},
	{ptx.Version{Major: 8, Minor: 1}, 12010},
	{ptx.Version{Major: 8, Minor: 0}, 12000},
}

// newestISA is the newest PTX ISA that a driver for CUDA v compiles.
func newestISA(v cudaVersion) ptx.Version {
	for _, r := range isaReleases {
		if v >= r.cuda {
			return r.isa
		}
	}
	return ptx.Version{Major: 7, Minor: 8}
}
