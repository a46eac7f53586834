// Package bench times several lessons on several shapes and types, each in
// fresh processes, and merges what they record into one report.
//
// A lesson is a program that takes -m, -n, -k, -type, -seed, -pause, -device and
// -reference, and writes a report with -json. The package must not know more of
// it, nor how the program came to be.
package bench

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gohopper/internal/report"
)

// Plan is what to time.
type Plan struct {
	Programs  []Program
	Shapes    []report.Shape
	Types     []string // "f16", "bf16"
	Processes int      // fresh ones for each lesson, shape and type
	Seed      int
	Pause     time.Duration // before each timed window
}

// Program is a lesson that can be run.
type Program struct{ Lesson, Path string }

// Job is one process.
type Job struct {
	Program
	Shape   report.Shape
	Type    string
	Process int // from 1
}

func (j Job) String() string {
	return fmt.Sprintf("%s %s %v process %d", j.Lesson, j.Type, j.Shape, j.Process)
}

// work is what the processes of a job have in common.
func (j Job) work() Job {
	j.Process = 0
	return j
}

// Jobs lists the processes in the order in which they run: the first of every
// work, then the second. Interrupted, the plan has then something of each; and
// a slow drift of the card reaches all alike.
func (p Plan) Jobs() []Job {
	var jobs []Job
	for process := 1; process <= p.Processes; process++ {
		for _, shape := range p.Shapes {
			for _, t := range p.Types {
				for _, program := range p.Programs {
					jobs = append(jobs, Job{program, shape, t, process})
				}
			}
		}
	}
	return jobs
}

// ParseShapes reads "4096,8192x28672x8192": M x N x K each, or one number for
// all three.
func ParseShapes(list string) ([]report.Shape, error) {
	var shapes []report.Shape
	for _, text := range strings.Split(list, ",") {
		var sizes []int
		for _, digits := range strings.Split(text, "x") {
			n, err := strconv.Atoi(strings.TrimSpace(digits))
			if err != nil || n < 1 {
				return nil, fmt.Errorf("shape %q: write M x N x K as 4096x4096x14336, or 8192 for a cube", text)
			}
			sizes = append(sizes, n)
		}
		switch len(sizes) {
		case 1:
			shapes = append(shapes, report.Shape{M: sizes[0], N: sizes[0], K: sizes[0]})
		case 3:
			shapes = append(shapes, report.Shape{M: sizes[0], N: sizes[1], K: sizes[2]})
		default:
			return nil, fmt.Errorf("shape %q has %d sizes: give three, M x N x K, or one for a cube", text, len(sizes))
		}
	}
	return shapes, nil
}

// ParseTypes reads "f16,bf16".
func ParseTypes(list string) ([]string, error) {
	var types []string
	for _, t := range strings.Split(list, ",") {
		t = strings.TrimSpace(t)
		if t != "f16" && t != "bf16" {
			return nil, fmt.Errorf("type %q: it is f16 or bf16", t)
		}
		types = append(types, t)
	}
	return types, nil
}
