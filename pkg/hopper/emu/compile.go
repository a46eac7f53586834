package emu

import "gohopper/pkg/hopper/ptx"

// compiler turns one entry into a program. Its error is sticky: after the
// first failure the methods return harmless rows and the load fails once, with
// that failure's line.
type compiler struct {
	prog *program
	in   *ptx.Instr // being compiled
	err  error
}

// unsupported refuses the instruction being compiled: its form is not known.
func (c *compiler) unsupported() op { panic("emulator: to be written") }

// failf refuses the instruction being compiled: an operand is wrong.
func (c *compiler) failf(format string, args ...any) op { panic("emulator: to be written") }

// src32 is the row of a source operand of up to 32 bits: a register, a special
// register, an integer or Float32 constant, the address of a variable.
// A Float64 constant is rounded to float32 (PTX 4.5.2).
func (c *compiler) src32(o ptx.Operand) (row int) { panic("emulator: to be written") }

// src64 is the same for 64 bits; a Float64 constant keeps its bits.
func (c *compiler) src64(o ptx.Operand) (row int) { panic("emulator: to be written") }

// srcPred is the row of a predicate operand and whether it is negated.
func (c *compiler) srcPred(o ptx.Operand) (row int, not bool) { panic("emulator: to be written") }

// dst32, dst64 and dstPred are the rows of a destination. The sink "_" is a
// row that nobody reads.
func (c *compiler) dst32(o ptx.Operand) (row int)   { panic("emulator: to be written") }
func (c *compiler) dst64(o ptx.Operand) (row int)   { panic("emulator: to be written") }
func (c *compiler) dstPred(o ptx.Operand) (row int) { panic("emulator: to be written") }
