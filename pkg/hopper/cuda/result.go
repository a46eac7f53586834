//go:build cuda && cgo

package cuda

import (
	"fmt"
	"reflect"
	"strings"
)

// result is the driver's CUresult.
type result int

// The results that this package treats apart (CUDA driver API, CUresult).
const (
	success         result = 0
	invalidValue    result = 1
	outOfMemory     result = 2
	stubLibrary     result = 34
	noDevice        result = 100
	invalidDevice   result = 101
	invalidPTX      result = 218
	noBinary        result = 209
	unsupportedPTX  result = 222
	notFound        result = 500
	illegalAddress  result = 700
	outOfResources  result = 701
	launchTimeout   result = 702
	hardwareStack   result = 714
	illegalOp       result = 715
	misaligned      result = 716
	addressSpace    result = 717
	invalidPC       result = 718
	launchFailed    result = 719
	driverMismatch  result = 803
	compatNotServed result = 804
	clusterSize     result = 912
)

// ofCu is the number inside an error of gorgonia.org/cu, whose type is
// unexported; success for nil.
func ofCu(err error) result {
	if err == nil {
		return success
	}
	if v := reflect.ValueOf(err); v.CanInt() {
		return result(v.Int())
	}
	return 999 // CUDA_ERROR_UNKNOWN
}

// lost reports whether r means that a kernel failed and that the context, with
// all its memory, is unusable from then on.
func (r result) lost() bool {
	switch r {
	case illegalAddress, launchTimeout, hardwareStack, illegalOp, misaligned, addressSpace, invalidPC, launchFailed:
		return true
	}
	return false
}

// advice is what to do about r, "" where the driver's own sentence is enough.
func (r result) advice() string {
	switch r {
	case outOfMemory:
		return "free what is no longer used, or run a smaller problem; nvidia-smi shows who else uses the card"
	case outOfResources:
		return "registers x threads or shared memory exceed what one SM has: use fewer threads, a smaller tile or .maxntid"
	case clusterSize:
		return "the grid must be a multiple of the cluster, and a cluster has at most 8 CTAs (16 where the card allows it)"
	case illegalAddress, addressSpace:
		return "the kernel touched memory that it does not own"
	case misaligned:
		return "the kernel made an access that is not aligned to its own size"
	case illegalOp:
		return "the kernel executed an instruction the card refused; a wgmma descriptor or setmaxnreg value is a usual cause"
	case launchTimeout:
		return "the kernel ran longer than the card's watchdog allows; a barrier that nobody completes is a usual cause"
	case launchFailed:
		return "a usual cause is an mbarrier that overflowed, or a CTA that left while a peer still used its shared memory"
	}
	return ""
}

// failed is the error of a driver call, nil for success.
func failed(call string, r result) error {
	if r == success {
		return nil
	}
	var b strings.Builder
	name, text := resultName(r)
	if name == "" {
		name, text = fmt.Sprintf("error %d", int(r)), "a code this driver does not explain"
	}
	fmt.Fprintf(&b, "cuda: %s: %s (%s)", call, name, text)
	if a := r.advice(); a != "" {
		fmt.Fprintf(&b, ": %s", a)
	}
	return fmt.Errorf("%s", b.String())
}

// blame is failed for a call made while launches may be running: where the
// result is a kernel's failure, it says which launches that can be.
func (g *gpu) blame(call string, r result) error {
	err := failed(call, r)
	if err == nil || !r.lost() {
		return err
	}
	who := "an earlier launch failed"
	switch {
	case g.pending == 1:
		who = fmt.Sprintf("%v failed", g.last)
	case g.pending > 1:
		who = fmt.Sprintf("one of the %d launches since the last Synchronize failed, the last of them %v; synchronize after each to learn which",
			g.pending, g.last)
	}
	return fmt.Errorf("%s: %w; the GPU's context is lost, so start the program again, or run the kernel with -device emu, which names the PTX line", who, err)
}
