// Playground is the program of the site's page for PTX: it reads one request,
// PTX and the description of a launch, runs it on the emulator under the
// sanitizer, and writes one answer, both as JSON.
//
// The page compiles it to WebAssembly and ends it if it takes too long. It must
// not know how the page shows an answer, nor what a kernel computes.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"gohopper/internal/launch"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// request is what the page sends.
type request struct {
	PTX    string `json:"ptx"`
	Launch string `json:"launch"` // itself JSON, as it was written
}

// answer is what the page shows. Either something was run, and Report is there,
// or Mistakes say why not; both if the run met a limit.
type answer struct {
	Mistakes []mistake      `json:"mistakes"`
	Report   *launch.Report `json:"report"`
	Text     string         `json:"text"` // all of it, for reading
}

const (
	// mostRequest is the bytes of a request. A page that is slow to edit with
	// so much text is no use either.
	mostRequest = 4 << 20
	mostShown   = 20 // findings, and mistakes
)

// limits suit a browser: one core, and memory that a phone has, too.
func limits() launch.Limits {
	return launch.Limits{Time: time.Minute, Memory: 128 << 20, Instructions: 20_000_000}
}

// serve answers one request. The error is about the request itself or the
// streams; what is wrong with the PTX or the launch is an answer.
func serve(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(io.LimitReader(in, mostRequest+1))
	if err != nil {
		return fmt.Errorf("the request cannot be read: %w", err)
	}
	if len(text) > mostRequest {
		return fmt.Errorf("the request is over the limit of %d bytes: take the kernels out that are not launched", mostRequest)
	}
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("the request is no JSON object with ptx and launch: %w", err)
	}
	return json.NewEncoder(out).Encode(r.answer(limits()))
}

func (r request) answer(l launch.Limits) *answer {
	a := &answer{Mistakes: []mistake{}}
	d, err := launch.Parse([]byte(r.Launch))
	if err != nil {
		a.Mistakes = mistakes(inLaunch, err)
		a.Text = textOf(a)
		return a
	}
	report, err := launch.Run(context.Background(), inPTX, r.PTX, d, l)
	if err != nil {
		a.Mistakes = mistakes("", err)
	}
	if len(report.Seeds) > 0 {
		report.Cut(mostShown)
		a.Report = report
	}
	a.Text = textOf(a)
	return a
}

// The texts that a mistake may be in.
const (
	inPTX    = "ptx"
	inLaunch = "launch"
)

// mistake is why something was not run, or not to its end.
type mistake struct {
	In      string `json:"in"`   // inPTX, inLaunch, or "" where it is in neither alone
	Line    int    `json:"line"` // from 1; 0 for none
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// mistakes reads an error of package launch: a line of it that begins as
// "ptx:LINE:COLUMN" is a mistake in the PTX of its own, any other belongs to
// the one before.
func mistakes(in string, err error) []mistake {
	if m := new(launch.Mistake); errors.As(err, &m) {
		message := m.Message
		if m.Path != "" {
			message = m.Path + ": " + message
		}
		return []mistake{{in, m.Line, m.Column, message}}
	}
	var list []mistake
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimRight(line, "\n")
		m := mistake{In: in, Message: line}
		rest, inText := strings.CutPrefix(line, inPTX+":")
		if inText {
			m.In, m.Message = inPTX, strings.TrimSpace(rest)
			if n, _ := fmt.Sscanf(rest, "%d:%d", &m.Line, &m.Column); n == 2 {
				m.Message = strings.TrimLeft(strings.TrimPrefix(rest, fmt.Sprintf("%d:%d", m.Line, m.Column)), ": ")
			}
		}
		if n := len(list); n > 0 && !inText {
			list[n-1].Message += "\n" + line
			continue
		}
		list = append(list, m)
	}
	if n := len(list) - mostShown; n > 0 {
		list = append(list[:mostShown], mistake{In: inPTX, Message: fmt.Sprintf("%d more mistakes are not shown", n)})
	}
	return list
}
