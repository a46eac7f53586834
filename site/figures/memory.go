package main

import (
	"fmt"
	"slices"
)

// Shared memory as all drawings show it: a line is 128 bytes, one word of each
// of the 32 banks, and has eight chunks of 16 bytes.
const (
	lineBytes   = 128
	chunkBytes  = 16
	perLine     = lineBytes / chunkBytes
	wordBytes   = 4
	banks       = lineBytes / wordBytes
	lineHigh    = 22.0
	chunkWide   = 44.0
	labelWide   = wide - perLine*chunkWide - 1
	mostLines   = 64 // that are drawn
	sharedBytes = 232448
)

// chunk is what lies in 16 bytes of shared memory.
type chunk struct {
	at    uint32 // address
	label string
	class string
	sets  string // when it is clicked
	// Of the bytes of the chunk that are marked: the first and their number.
	markAt, markBytes int
}

// memory draws the lines of shared memory that chunks lie in, from y on, with
// the banks above them. Lines between them that hold none are left out. It
// returns how many lines did not fit.
func (d *svg) memory(y float64, chunks []chunk) (left int) {
	d.text("small soft words end", labelWide-6, y+10, "banks")
	for i := range perLine {
		d.text("small soft", labelWide+chunkWide*(float64(i)+.5), y+10, fmt.Sprintf("%d-%d", 4*i, 4*i+3))
	}
	y += 16
	lines := linesOf(chunks)
	left = max(0, len(lines)-mostLines)
	lines = lines[:len(lines)-left]
	top := map[uint32]float64{}
	for i, line := range lines {
		if i > 0 && line != lines[i-1]+1 {
			d.text("small soft words", labelWide+perLine*chunkWide/2, y+9, "…")
			y += 12
		}
		top[line] = y
		d.text("small soft end", labelWide-6, y+15, fmt.Sprintf("%#x", line*lineBytes))
		for i := range perLine {
			d.rect("cell", labelWide+chunkWide*float64(i), y, chunkWide, lineHigh, "")
		}
		y += lineHigh
	}
	for _, class := range []string{"cell", "read", "chosen"} { // what is marked lies on top
		for _, c := range chunks {
			if y, ok := top[c.at/lineBytes]; ok && c.class == class {
				d.chunk(labelWide+chunkWide*float64(c.at%lineBytes/chunkBytes), y, c)
			}
		}
	}
	d.high = max(d.high, y)
	return left
}

func (d *svg) chunk(x, y float64, c chunk) {
	d.rect(c.class, x, y, chunkWide, lineHigh, c.sets)
	text := "small"
	if c.class == "chosen" {
		text = "small on"
	}
	d.text(text, x+chunkWide/2, y+14, c.label)
	if c.markBytes > 0 {
		const part = chunkWide / chunkBytes
		d.rect("on", x+part*float64(c.markAt), y+lineHigh-4, part*float64(c.markBytes), 3, "")
	}
}

// linesOf is the numbers of the lines that chunks lie in, in order.
func linesOf(chunks []chunk) []uint32 {
	var lines []uint32
	for _, c := range chunks {
		lines = append(lines, c.at/lineBytes)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// reads is bytes that lanes read in one instruction: the address of each, and
// how many bytes each reads.
type reads struct {
	at    []uint32
	bytes uint32
}

// words is how many different words of each bank are read. The most of them is
// the turns that the banks need, since a bank gives one word in a turn.
func (r reads) words() (perBank [banks]int, turns int) {
	seen := map[uint32]bool{}
	for _, at := range r.at {
		for w := at / wordBytes; w <= (at+r.bytes-1)/wordBytes; w++ {
			if !seen[w] {
				seen[w] = true
				perBank[w%banks]++
			}
		}
	}
	return perBank, slices.Max(perBank[:])
}
