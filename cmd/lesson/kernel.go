package main

import (
	"bytes"
	"fmt"

	"gohopper/cmd/lesson/internal/inspect"
	"gohopper/lessons"
	"gohopper/pkg/hopper/ptx"
)

// kernel counts the instructions of a lesson's kernel. Flags are the lesson's.
func (p *programs) kernel(l lessons.Lesson, flags ...string) (*inspect.Kernel, error) {
	text, err := p.ptx(l, flags...)
	if err != nil {
		return nil, err
	}
	m, err := ptx.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the PTX of %s: %w", l.Name, err)
	}
	kernels := inspect.CountPTX(m)
	if len(kernels) != 1 {
		return nil, fmt.Errorf("the PTX of %s has %d kernels: it should have one", l.Name, len(kernels))
	}
	return &kernels[0], nil
}

// ptx is the PTX that a lesson prints.
func (p *programs) ptx(l lessons.Lesson, flags ...string) (string, error) {
	program, err := p.get(l)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := p.call.through(p.call.start(program, append([]string{"-ptx"}, flags...), &out, p.call.stderr)); err != nil {
		return "", fmt.Errorf("%s prints no PTX: %w", l.Name, err)
	}
	return out.String(), nil
}
