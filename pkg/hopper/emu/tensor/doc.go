// Package tensor computes what Hopper's tensor cores compute: which element a
// lane's register holds, which bytes of shared memory a matrix descriptor
// names, and the product of two tiles.
//
// It is arithmetic on numbers and bytes. It must not know PTX text, threads
// that wait, or when anything happens: package emu decides when a product is
// made and hands over registers and memory.
//
// # Shapes
//
// Everything is made of strips of 16 rows, which is what one warp holds of D:
// mma.sync multiplies one strip, wgmma four, one for each warp of the
// warpgroup. A strip of A, K long, is a []Column with element (row, k) at
// [k][row]; a strip of D, N wide, is a []Column with element (row, n) at
// [n][row]. B is a Right, in either order. Elements of every type are widened
// to float32, which holds all of them exactly.
package tensor

// StripRows is the number of rows of a strip.
const StripRows = 16

// Column is one column of a strip.
type Column [StripRows]float32

// Right is a B operand: element (n, k) is Elements[n*StepN+k*StepK].
type Right struct {
	Elements     []float32
	StepN, StepK int
}
