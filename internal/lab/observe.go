package lab

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gohopper/internal/output"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/sanitize"
	"gohopper/pkg/hopper/trace"
)

// observe is who follows a launch on the emulator: nobody, the sanitizer, the
// recorder of the timeline, or both.
func (o *Options) observe(l event.Launch) event.Observer {
	var all []event.Observer
	if o.Sanitize {
		all = append(all, sanitize.Observe(l))
	}
	if o.recorder != nil {
		all = append(all, o.recorder.Observe(l))
	}
	return event.Several(all...)
}

// timeline is the kind of file that -trace writes.
func timeline() output.Kind { return output.Kind{Name: "a trace", Is: trace.Is} }

// checkTrace refuses a timeline that could not be made or written.
func (o *Options) checkTrace() error {
	switch {
	case o.TraceLimit < 1 || o.TraceLimit > trace.Limit:
		return fmt.Errorf("-trace-limit %d: it is 1 to %d", o.TraceLimit, trace.Limit)
	case o.Trace == "" && o.given["trace-limit"]:
		return errors.New("-trace-limit is for a timeline: name its file with -trace")
	case o.Trace == "":
		return nil
	case o.Trace == o.JSON:
		return errors.New("-trace and -json name the same file: choose two")
	case o.Device == "cuda" || o.Bench || o.Tune || o.Ablate != "":
		return errNoTrace
	}
	o.recorder = trace.New(o.TraceLimit)
	return timeline().Writable(o.Trace)
}

// writeTrace stores the timeline where the flags ask for one. A kernel that
// misbehaved has one, too.
func (o *Options) writeTrace(stdout io.Writer) error {
	if o.recorder == nil {
		return nil
	}
	var text bytes.Buffer
	if err := o.recorder.Encode(&text); err != nil {
		return err
	}
	if err := timeline().Write(o.Trace, text.Bytes()); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "  timeline %s, of the first cluster: open it at ui.perfetto.dev\n", o.Trace)
	return nil
}
