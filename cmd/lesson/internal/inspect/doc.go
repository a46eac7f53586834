// Package inspect counts the instructions that decide how a Hopper kernel
// performs, in its PTX and in the machine code that NVIDIA's assembler makes of
// it, and says what is good or bad about them.
//
// Counts are of instructions in the text; how often one is executed is not in
// it. The package must not know any lesson: whether a kernel ought to use WGMMA
// is told to it.
package inspect
