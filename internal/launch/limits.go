package launch

import (
	"context"
	"fmt"
	"math"
	"runtime/metrics"
	"time"

	"gohopper/pkg/hopper/ptx"
)

// Limits is what a run may take.
type Limits struct {
	Time         time.Duration // of all seeds together
	Memory       int64         // bytes: of buffers and variables, and of this process
	Instructions int64         // of one cluster
}

// Exceeded is the error of a launch that met a limit, or would.
type Exceeded struct {
	Limit   string // "time", "memory" or "instructions"
	Message string
}

func (e *Exceeded) Error() string { return e.Message }

const (
	mostPTX  = 16 << 20 // bytes of text
	mostCTAs = 1 << 16  // of a grid
	// mostThreads is how many threads an H100 has room for.
	mostThreads = 132 * 2048
	glance      = 20 * time.Millisecond
)

// admit refuses what would pass the limits before anything runs.
func (l Limits) admit(m *ptx.Module, d *Description) error {
	ctas := 1
	for _, n := range d.Shape.Grid {
		if ctas *= n; ctas > mostCTAs { // each factor is below 2^31
			return fmt.Errorf("the grid %v is over the limit of %d CTAs; a smaller one runs the same code", d.Shape.Grid, mostCTAs)
		}
	}
	var need int64
	for _, a := range d.args {
		if a.buffer != nil {
			need += int64(a.buffer.size())
		}
		if a.tensor != nil && a.tensor.own != nil {
			need += int64(a.tensor.own.size())
		}
	}
	if err := l.memory("the buffers have", need); err != nil {
		return err
	}
	for _, decl := range m.Decls {
		switch decl := decl.(type) {
		case *ptx.Var:
			need = sum(need, variable(decl))
		case *ptx.Func:
			need = sum(need, variables(decl.Body))
			for _, p := range decl.Params {
				need = sum(need, variable(p))
			}
		}
	}
	return l.memory("the buffers and variables have", need)
}

// memory refuses to need too many bytes.
func (l Limits) memory(what string, need int64) error {
	if need <= l.Memory {
		return nil
	}
	return &Exceeded{"memory", fmt.Sprintf("%s %d bytes, and the limit of memory is %d", what, need, l.Memory)}
}

// variables is the bytes of all variables of a block.
func variables(b *ptx.Block) (n int64) {
	if b == nil {
		return 0
	}
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Var:
			n = sum(n, variable(s))
		case *ptx.Block:
			n = sum(n, variables(s))
		}
	}
	return n
}

// variable is the bytes that a variable may take, with what its alignment may
// cost, and the largest integer if they are more.
func variable(v *ptx.Var) int64 {
	n := int64(v.Type.Bytes() * max(1, v.Vector))
	for _, d := range v.Dims {
		if d > 0 && n > math.MaxInt64/int64(d) {
			return math.MaxInt64
		}
		n *= int64(d)
	}
	return sum(n, int64(v.Align))
}

// sum adds without running over.
func sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// ended is the error of a run in which a cluster met the limit of instructions:
// what it would have done then is not known.
func (l Limits) ended(r *Report) error {
	for _, f := range r.Findings {
		if f.Rule == "budget" {
			return &Exceeded{"instructions", fmt.Sprintf("the limit of %d instructions for a cluster was met: a loop does not end, or needs more", l.Instructions)}
		}
	}
	return nil
}

// within waits for work, which says through done that it has ended. It returns
// early, with the limit's name, when time or memory is up; the work itself, in
// the emulator, cannot be interrupted, so the process should end soon.
func (l Limits) within(ctx context.Context, done <-chan struct{}) error {
	end := time.NewTimer(l.Time)
	defer end.Stop()
	look := time.NewTicker(glance)
	defer look.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-end.C:
			return &Exceeded{"time", fmt.Sprintf("the limit of time, %v, is up: launch fewer CTAs, or take fewer seeds", l.Time)}
		case <-look.C:
			select {
			case <-done: // what is over needs no limit
				return nil
			default:
			}
			if err := l.memory("the emulator holds", live()); err != nil {
				return err
			}
		}
	}
}

// live is the bytes that this process's last garbage collection kept.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
