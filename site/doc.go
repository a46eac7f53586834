// Package site renders the course as a static website: the lessons' Markdown
// beside the code that it names, the reference of the vocabulary with the PTX
// of each word, the recorded results, each lesson's own program compiled for
// the browser, and a page on which a reader runs PTX.
//
// It reads files: pages, sources, goldens and reports. It must not know what a
// kernel computes, nor run one; what a page shows of a run was recorded, or is
// run by the reader's browser. A page that names something that is not there
// is an error with its file and line.
//
// The result needs no server and asks for nothing outside its folder. All
// links are relative, and all pages lie in one folder, so it works from a disk
// and below any path. The same sources give the same bytes.
package site
