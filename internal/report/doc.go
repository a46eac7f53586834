// Package report is the recorded result of a run: what was computed on which
// machine, whether it was right, and every time that was measured, with the
// state of the card around it. A file holds the results of one run, of one or
// several processes; figures, pages and tables read such files and nothing
// else.
//
// The package imports nothing of the project and must not know how a result
// was obtained, only what is a complete and plausible one.
//
// Times are milliseconds of one call, rates TFLOP/s of 2·M·N·K operations, and
// a ratio is the library's time over ours: above 1 we are faster.
package report
