// Command figures computes the figures that run in the page: what is asked of
// one is a line of JSON on its input, and the answer, drawing included, a line
// on its output.
//
//	echo '{"figure":"swizzle","set":{"mode":"64","columns":"32"}}' | go run ./site/figures
//
// Every number comes from the packages of the course: the tensor copies'
// arithmetic (emu/tma), the matrix descriptors' (emu/tensor), and kernels that
// run on the emulator while their events are read. The program draws and puts
// into words. It must not know the browser, nor repeat the arithmetic of those
// packages: a figure that disagrees with them is worse than none.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// longest is the most bytes that a question may have.
const longest = 1 << 16

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// serve answers until there are no more questions.
func serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longest)
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false)
	all := figures()
	for lines.Scan() {
		var q query
		a := answer{}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			a.Wrong = fmt.Sprintf("the question is no JSON: %v; write {\"figure\": NAME, \"set\": {NAME: VALUE}}", err)
		} else {
			a = q.answer(all)
		}
		if err := to.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}
