// Package event is the record of what happened when a kernel ran: what the
// machine found wrong, and where. It is plain data that the emulator writes
// and that reports, traces and analyses read; it must not know how a kernel is
// executed.
package event

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// Severity says how sure a finding is.
type Severity string

// The severities of a finding.
const (
	Error  Severity = "error"  // wrong on this schedule
	Stuck  Severity = "stuck"  // cannot make progress
	Latent Severity = "latent" // outside the memory model, though this schedule hides it
)

// Place is one point of one actor's program.
type Place struct {
	CTA    [3]int  `json:"cta"`
	Warp   int     `json:"warp"` // -1: not a warp (an asynchronous engine)
	Lanes  uint32  `json:"lanes,omitempty"`
	Role   string  `json:"role,omitempty"` // what the actor is: "warp 3", "TMA engine"
	Pos    ptx.Pos `json:"ptx"`            // line in the PTX text
	Source string  `json:"source,omitempty"`
	// Calls are the positions of the calls that lead to Source, where it is in
	// a function that was inlined or called, from the innermost on.
	Calls []string `json:"calls,omitempty"`
	Text  string   `json:"text,omitempty"` // the instruction
}

func (p Place) String() string {
	var b strings.Builder
	if p.Source != "" {
		at := strings.Join(append([]string{p.Source}, p.Calls...), ", called at ")
		fmt.Fprintf(&b, "%s (ptx line %d)", at, p.Pos.Line)
	} else {
		fmt.Fprintf(&b, "ptx line %d", p.Pos.Line)
	}
	if p.Text != "" {
		fmt.Fprintf(&b, ": %s", p.Text)
	}
	return b.String()
}

// Finding is something a kernel did wrong. A finding belongs to a run that
// the machine carried out as told; it is never an error of the host program.
type Finding struct {
	Rule     string   `json:"rule"`           // "stuck", "out-of-bounds", …
	Page     string   `json:"page,omitempty"` // that explains the rule
	Severity Severity `json:"severity"`
	Message  string   `json:"message"` // one sentence
	At       Place    `json:"at"`
	Other    []Place  `json:"other,omitempty"`   // the other actors
	Edge     string   `json:"edge,omitempty"`    // what would have ordered the actors
	Details  []string `json:"details,omitempty"` // facts, a line each
	Advice   string   `json:"advice,omitempty"`  // what to write instead
	Count    int      `json:"count"`             // how often, this one being the first
}

// RulesPage explains every rule, from the root of the repository; a rule's name
// is the fragment.
const RulesPage = "docs/rules.md"

// String lays the finding out as a compiler message.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s [%s]\n", f.Severity, f.Message, f.Rule)
	fmt.Fprintf(&b, "  at %s\n", f.At)
	actor := f.At.Role
	if actor == "" && f.At.Warp >= 0 {
		actor = fmt.Sprintf("warp %d", f.At.Warp)
	}
	if actor != "" { // else it holds for whoever comes there
		fmt.Fprintf(&b, "     CTA (%d,%d,%d), %s\n", f.At.CTA[0], f.At.CTA[1], f.At.CTA[2], actor)
	}
	for _, o := range f.Other {
		fmt.Fprintf(&b, "  and %s\n", o)
		if o.Role != "" {
			fmt.Fprintf(&b, "     CTA (%d,%d,%d), %s\n", o.CTA[0], o.CTA[1], o.CTA[2], o.Role)
		}
	}
	if f.Edge != "" {
		fmt.Fprintf(&b, "  missing: %s\n", f.Edge)
	}
	for _, d := range f.Details {
		fmt.Fprintf(&b, "  %s\n", d)
	}
	if f.Count > 1 {
		fmt.Fprintf(&b, "  seen %d times; this is the first\n", f.Count)
	}
	if f.Advice != "" {
		fmt.Fprintf(&b, "  try: %s\n", f.Advice)
	}
	fmt.Fprintf(&b, "  rule: %s#%s\n", RulesPage, f.Rule)
	return b.String()
}
