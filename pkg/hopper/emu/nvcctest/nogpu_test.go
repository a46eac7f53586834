//go:build !(cuda && cgo)

package nvcctest

import "testing"

// onGPU does nothing: these tests were built without the tag "cuda".
func onGPU(*testing.T, string, func(r rig)) {}
