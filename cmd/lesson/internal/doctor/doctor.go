// Package doctor examines a machine: which parts of what the course can use are
// there, where, and what to do about those that are not.
//
// It looks at a machine.Machine, the driver's traces and a device that may be
// opened, all given to it. It must not know the commands that a part is for
// beyond the words it says.
package doctor

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gohopper/cmd/lesson/internal/machine"
	"gohopper/pkg/hopper/cuda"
	"gohopper/pkg/hopper/device"
)

// Patient is what is examined.
type Patient struct {
	Machine machine.Machine
	Root    string                        // of the repository, "" outside of it
	GPU     cuda.Status                   // what the driver leaves in the file system
	Open    func() (device.Device, error) // opens the GPU
	Emulate func() error                  // runs something on the emulator and checks it
	Tools   string                        // a folder to look for CUDA's programs in first, or ""
}

// Status is the outcome of one check.
type Status string

// The outcomes of a check.
const (
	OK      Status = "ok"
	Missing Status = "-" // not there; nothing is broken
	Broken  Status = "bad"
)

// Check is one line of the examination.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Found  string `json:"found,omitempty"`  // what, and where
	Advice string `json:"advice,omitempty"` // what to do
}

// Report is the whole examination.
type Report struct {
	Checks []Check  `json:"checks"`
	Can    []string `json:"can"`
	Cannot []string `json:"cannot"` // with the reason
}

// OK reports whether the emulator works, which is all that most readers need.
func (r *Report) OK() bool { return r.has("emulator") }

// has reports whether the check of this name is ok.
func (r *Report) has(name string) bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Name == name && c.Status == OK })
}

// Examine runs every check.
func Examine(ctx context.Context, p Patient) *Report {
	r := &Report{}
	r.add(p.emulator(), p.repository())
	r.add(p.golang(ctx)...)
	card := p.openCard(ctx)
	defer card.close()
	r.add(card.driver(), card.gpu(), card.cublas(), card.nvml(), p.binary())
	r.add(p.headers(), p.link())
	r.add(p.tools(ctx)...)
	r.conclude()
	return r
}

func (r *Report) add(checks ...Check) { r.Checks = append(r.Checks, checks...) }

func (p Patient) emulator() Check {
	if err := p.Emulate(); err != nil {
		return Check{"emulator", Broken, err.Error(), "this is a fault of the course: report it"}
	}
	return Check{"emulator", OK, "multiplied a tile by TMA and WGMMA, and the result is right", ""}
}

func (p Patient) repository() Check {
	if p.Root == "" {
		return Check{"repository", Missing, "", "cd into the course's repository to run lessons from their source"}
	}
	return Check{"repository", OK, p.Root, ""}
}

// conclude says what the machine can do.
func (r *Report) conclude() {
	decide := func(what string, needs ...string) {
		for _, need := range needs {
			if !r.has(need) {
				r.Cannot = append(r.Cannot, fmt.Sprintf("%s (no %s)", what, need))
				return
			}
		}
		r.Can = append(r.Can, what)
	}
	decide("run kernels on the emulator", "emulator")
	decide("run lessons from their source", "repository", "go")
	build := []string{"repository", "go", "cgo", "CUDA headers", "libcuda to link"}
	decide("build for a GPU", build...)
	onGPU := []string{"GPU", "driver"}
	if !r.has("this program") { // the programs beside it were built like it
		onGPU = append(onGPU, build...)
	}
	decide("run on its GPU", onGPU...)
	disassembler := "cuobjdump"
	if r.has("nvdisasm") {
		disassembler = "nvdisasm"
	}
	decide("inspect machine code", "ptxas", disassembler)
	decide("profile", append(onGPU, "Nsight Compute")...)
}

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range r.Checks {
		text := c.Found
		if c.Advice != "" {
			text = strings.TrimPrefix(text+"; "+c.Advice, "; ")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.Status, c.Name, text)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	line := ""
	if len(r.Can) > 0 {
		line = "This machine can " + list(r.Can, "and") + "."
	}
	if len(r.Cannot) > 0 {
		line += " It cannot " + list(r.Cannot, "or") + "."
	}
	_, err := fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(line))
	return err
}

// list joins phrases as a sentence does: "a, b and c".
func list(phrases []string, last string) string {
	n := len(phrases) - 1
	if n == 0 {
		return phrases[0]
	}
	return strings.Join(phrases[:n], ", ") + " " + last + " " + phrases[n]
}

// patience is how long a program may take to say what it is: a driver that is
// stuck can hold nvidia-smi for ever.
const patience = 20 * time.Second

// ask runs a program and returns the first line that contains a word.
func (p Patient) ask(ctx context.Context, word, program string, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := p.Machine.Run(ctx, program, args...)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(out) {
		if strings.Contains(line, word) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// at is "version in folder", or the path where the version is not known.
func at(version, file string) string {
	if version == "" {
		return file
	}
	return version + " in " + path.Dir(file)
}
