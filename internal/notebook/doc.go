// Package notebook writes a lesson as a Jupyter notebook for GoNB, the Go
// kernel of github.com/janpfeifer/gonb: its prose in Markdown cells with the
// code and the numbers that it names, and its commands in cells that run. One
// cell holds the kernel, for the reader to change.
//
// It must not know what a lesson computes, nor run one. The same sources give
// the same bytes. What a page names and is not there is an error with its file
// and line.
//
// # How the cells run
//
// GoNB hands a line that begins with an exclamation mark to bash, in the
// folder of the notebook or in the one that %cd named, and writes a cell that
// begins with %%writefile to a file. So a lesson is run as a program of its
// own, by its import path, which the go command finds from any folder of a
// clone; it cannot be imported into a cell, since main packages and internal
// ones cannot. The changed kernel takes the place of the lesson's own by
// go run -overlay, and the clone stays as it is.
package notebook
