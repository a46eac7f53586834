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
package launch

import _ "embed"

// Example is a description with a buffer and a tensor map, for the kernel
// wrong_bytes of pkg/hopper/emu/nvcctest.
//
//go:embed example.json
var Example string

// Format documents a description.
const Format = `The launch is one JSON object. Only grid and block must be there; a field that is
not known is refused.

  entry    the kernel's name; may be left out if the PTX has one
  grid     CTAs, a number or [x, y, z]
  block    threads of a CTA, likewise
  cluster  CTAs of a cluster, likewise; left out where the kernel fixes it
  shared   bytes of dynamic shared memory
  seeds    list of seeds, each a schedule; [1] if left out
  args     the arguments, in order, each an object with one of these:

  {"s32": 7}         a scalar: s8 u8 s16 u16 s32 u32 s64 u64 f16 bf16 f32 f64
  {"hex": "00ff"}    the bytes of a structure, in the order of addresses
  {"buffer": {...}}  a pointer to new memory:
      bytes          its size, or
      count, type    its elements; type is a scalar's, e4m3 or e5m2
      fill           poison (never written: to read it is a finding), zero, index
                     (element i is i) or normal (needs a float type); poison if
                     left out
      seed           of normal; the argument's index if left out
  {"map": {...}}     a tensor map, by the names of device.TensorMap, the arguments
                     of cuTensorMapEncodeTiled, innermost dimension first:
      buffer         the index of an argument that is a buffer, or a buffer
      Address        bytes from the start of the buffer; 0 if left out
      Type           u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32.ftz tf32 tf32.ftz
      Dims, Strides  elements; bytes, one fewer
      Box            elements
      ElementStrides all 1 if left out
      Interleave     none, 16B or 32B; none if left out
      Swizzle        none, 32B, 64B or 128B; none if left out
      L2Promotion    none, 64B, 128B or 256B; none if left out
      Fill           zero or nan; zero if left out`
