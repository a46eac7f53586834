package main

import (
	"fmt"
	"strings"

	"gohopper/internal/launch"
)

// textOf is an answer as text: mistakes, findings, what the buffers hold, and
// how often the kernel did what.
func textOf(a *answer) string {
	var b strings.Builder
	for _, m := range a.Mistakes {
		fmt.Fprintf(&b, "%s\n", m)
	}
	r := a.Report
	if r == nil {
		return b.String()
	}
	if len(a.Mistakes) > 0 {
		b.WriteString("\n")
	}
	r.Print(&b, fmt.Sprintf("%d are shown", mostShown)) // a Builder takes everything
	for _, buffer := range r.Buffers {
		fmt.Fprintf(&b, "\nargs[%d]: %s\n  %s\n  digest %s%s\n", buffer.Arg, size(buffer), elements(buffer), buffer.Digest, stable(r, buffer))
	}
	if len(r.Counts) > 0 {
		fmt.Fprintf(&b, "\nunder seed %d:\n", r.Seeds[0])
	}
	for _, c := range r.Counts {
		fmt.Fprintf(&b, "%8d  %s", c.Times, c.What)
		if c.Bytes > 0 {
			fmt.Fprintf(&b, ", %d bytes", c.Bytes)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (m mistake) String() string {
	at := ""
	if m.Line > 0 {
		at = fmt.Sprintf(" line %d, column %d", m.Line, m.Column)
	}
	if m.In+at == "" {
		return m.Message
	}
	return strings.TrimSpace(m.In+at) + ": " + m.Message
}

// size says how much of a buffer the kernel changed.
func size(b *launch.Buffer) string {
	switch b.Changed {
	case 0:
		return fmt.Sprintf("%d %s, as they began", b.Count, b.Type)
	case b.Count:
		return fmt.Sprintf("%d %s, all changed", b.Count, b.Type)
	}
	return fmt.Sprintf("%d %s, %d changed", b.Count, b.Type, b.Changed)
}

func elements(b *launch.Buffer) string {
	text := strings.Join(b.First, ", ")
	if len(b.First) < b.Count {
		text += ", …"
	}
	return text
}

// stable says whether all seeds led to the same bytes.
func stable(r *launch.Report, b *launch.Buffer) string {
	switch {
	case len(r.Seeds) == 1:
		return ""
	case len(b.Differs) == 0:
		return fmt.Sprintf(", the same under %d seeds", len(r.Seeds))
	}
	return fmt.Sprintf(" under seed %d, another under %d of %d", r.Seeds[0], len(b.Differs), len(r.Seeds))
}
