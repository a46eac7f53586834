// Package plots draws the figures of the course from its records: reports in
// plots/data, timelines that lessons have written, and notes made by hand
// beside them. [Draw] is all there is to call.
//
// A figure is a pair of files. The SVG has every colour in its style sheet,
// for light and for dark, a caption with the card, the driver and the date,
// and its words as text. The CSV beside it has the numbers that are drawn. The
// same records give the same bytes, so that a review shows what new records
// change.
//
// A page that takes a figure in as an element can set the theme with the
// attribute data-theme, "light" or "dark", of its root; without it, and in an
// image, the reader's system decides. A page can also set the colours
// themselves: they are custom properties of the svg element, --paper and
// --ink among them.
//
// The package must not know how a number came about: it reads files, and runs
// no kernel. It draws nothing that has not been verified.
package plots
