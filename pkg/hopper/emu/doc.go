// Package emu is a machine that runs PTX: warps of 32 lanes with divergence
// and reconvergence, CTAs, clusters, memories with bounds and poison, and
// Hopper's asynchronous engines.
//
// An asynchronous operation is issued at one moment and completes at another,
// which a seed chooses; clusters run in parallel over the host's cores, and
// inside a cluster everything happens in one order that the seed fixes, so a
// run can be repeated. The package knows PTX text and nothing of the Go that
// recorded it or of the lesson it belongs to. It computes results and
// findings, never seconds.
//
// Three kinds of failure stay apart. PTX or a launch that cannot be run is an
// error. A kernel that misbehaves is a finding (event.Finding) of a run that
// goes on or stops as the hardware would. A broken emulator panics with the
// word "emulator:".
//
// # How it is built
//
//	machine.go    device.Device: memory, modules, launches
//	program.go    a PTX function compiled to a list of ops over register rows
//	table.go      the instruction table: which function compiles which opcode
//	warp.go       a warp's registers and program counters
//	sched.go      one cluster's schedule: warps, waits, the event queue
//	memory.go     address spaces, bounds, poison
//	op_*.go       the ops, one family a file
//
// Registers are rows of 32 lanes: row32 for registers up to 32 bits, row64 for
// 64-bit ones, and one mask for a predicate. Constants and fixed special
// registers are rows too, filled when a warp starts, so every source operand
// of an op is a row index and no op asks what kind of operand it has.
package emu
