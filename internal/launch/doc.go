// Package launch runs PTX that the course did not write under the sanitizer,
// from a description of its launch in JSON.
//
// A description is read strictly: what it does not know is refused with its
// place in the JSON. A run is kept within limits of time, memory and
// instructions. The package must not know what a kernel computes, nor any
// lesson.
//
//	json.go         JSON values that know their path
//	description.go  the launch and its arguments
//	tensormap.go    an argument that is a tensor map
//	element.go      types of scalars and of a buffer's elements
//	place.go        arguments on a device
//	limits.go       what a run may take
//	run.go          the run, under several seeds
//	report.go       what was found
//	buffer.go       what a launch left in its buffers
//	tally.go        how often it did what
package launch

import _ "embed"

// Example is a description with a buffer and a tensor map, for the kernel
// wrong_bytes of pkg/hopper/emu/nvcctest.
//
//go:embed example.json
var Example string

// Format documents a description.
//
//go:embed format.txt
var Format string
