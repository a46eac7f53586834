// Package readme holds README.md and the pages in docs to the truth: its tests
// generate what the README shows, the table of results from the recorded
// report, the list of lessons from the list, output from runs, and fail where
// the file says something else.
//
//	go test ./internal/readme -update
//
// rewrites those sections of README.md. The package has tests only and exports
// nothing; it must not be imported.
package readme
