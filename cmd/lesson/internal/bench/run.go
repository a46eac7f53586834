package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gohopper/internal/report"
)

// Failure is a job that gave no result.
type Failure struct {
	Job
	Err error
}

// Outcome is what a plan came to.
type Outcome struct {
	Results     []report.Result
	Failures    []Failure
	Planned     int  // jobs
	Interrupted bool // the context ended before the plan did
}

// Err is nil if every job gave a result.
func (o Outcome) Err() error {
	switch {
	case o.Interrupted:
		return fmt.Errorf("interrupted: %d of %d processes measured", len(o.Results), o.Planned)
	case len(o.Failures) > 0:
		return fmt.Errorf("%d of %d processes failed; the first, %v: %w", len(o.Failures), o.Planned, o.Failures[0].Job, o.Failures[0].Err)
	}
	return nil
}

// Run works a plan off. After each process, keep is given all results so far;
// its error ends the run. The progress is written for a person.
//
// A work that failed once is not tried again: its other processes count as
// failures with the same reason.
func Run(ctx context.Context, plan Plan, progress io.Writer, keep func([]report.Result) error) (Outcome, error) {
	jobs := plan.Jobs()
	out := Outcome{Planned: len(jobs)}
	// All processes on the same data check against one reference product.
	kept, err := os.MkdirTemp("", "lesson")
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(kept)
	p := newPace(jobs)
	for i, job := range jobs {
		if ctx.Err() != nil {
			out.Interrupted = true
			break
		}
		if failed := slices.IndexFunc(out.Failures, func(f Failure) bool { return f.work() == job.work() }); failed >= 0 {
			out.Failures = append(out.Failures, Failure{job, out.Failures[failed].Err})
			p.skip()
			continue
		}
		fmt.Fprintf(progress, "%d of %d%s: %v ... ", i+1, len(jobs), p.left(), job)
		start := time.Now()
		result, err := runJob(ctx, job, plan, kept)
		if ctx.Err() != nil {
			fmt.Fprintln(progress, "interrupted")
			out.Interrupted = true
			break
		}
		if err != nil {
			fmt.Fprintf(progress, "failed: %v\n", err)
			out.Failures = append(out.Failures, Failure{job, err})
			p.skip()
			continue
		}
		p.took(time.Since(start))
		fmt.Fprintln(progress, speed(result))
		out.Results = append(out.Results, *result)
		if err := keep(out.Results); err != nil {
			return out, err
		}
	}
	return out, nil
}

// runJob runs one process and reads what it recorded.
func runJob(ctx context.Context, j Job, p Plan, kept string) (*report.Result, error) {
	dir, err := os.MkdirTemp("", "lesson")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "report.json")
	cmd := exec.CommandContext(ctx, j.Path, "-device", "cuda", "-bench",
		"-m", strconv.Itoa(j.Shape.M), "-n", strconv.Itoa(j.Shape.N), "-k", strconv.Itoa(j.Shape.K),
		"-type", j.Type, "-seed", strconv.Itoa(p.Seed), "-pause", p.Pause.String(), "-json", file, "-reference", kept)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if said := reason(j.Lesson, stderr.String()); said != "" {
			return nil, errors.New(said)
		}
		return nil, err
	}
	results, err := report.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s ended well but left no report: %w", j.Lesson, err)
	}
	r := &results[0]
	if len(results) != 1 || r.Lesson != j.Lesson || r.Shape != j.Shape || r.Type != j.Type {
		return nil, fmt.Errorf("%s recorded %s %s %v, which is other work than was asked for", j.Path, r.Lesson, r.Type, r.Shape)
	}
	if r.Timing == nil {
		return nil, fmt.Errorf("%s recorded no times", j.Lesson)
	}
	r.Process = j.Process
	return r, nil
}

// speed says what a result came to.
func speed(r *report.Result) string {
	s := r.Summarise()
	text := fmt.Sprintf("%.1f TFLOP/s", s.TFLOPS.Median)
	if s.Ratio != nil {
		text += fmt.Sprintf(", %.3f of %s", s.Ratio.Median, r.Machine.Library)
	}
	return text
}

// reason is the line in which a lesson says why it failed: the one that begins
// with its name, or else the first.
func reason(lesson, text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, lesson+": ") {
			return line
		}
	}
	return lines[0]
}
