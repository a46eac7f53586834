package launch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
	"gohopper/pkg/hopper/sanitize"
)

// Run launches PTX once for each of the description's seeds. File is its name
// in messages. The error is a mistake in the PTX or in the launch, or names the
// limit that was met; the report then holds what was found until there.
func Run(ctx context.Context, file, text string, d *Description, l Limits) (*Report, error) {
	r := &Report{Entry: d.Entry, Seeds: []int64{}, Findings: []Found{}, Buffers: []*Buffer{}, Counts: []Count{}}
	if len(text) > mostPTX {
		return r, fmt.Errorf("%s has %d bytes; the limit is %d", file, len(text), mostPTX)
	}
	m, err := ptx.Parse(text)
	if err != nil {
		return r, fmt.Errorf("%s:%w", file, err)
	}
	if r.Entry, err = entry(m, d.Entry); err != nil {
		return r, fmt.Errorf("%s: %w", file, err)
	}
	if err := l.admit(m, d); err != nil {
		return r, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	outcomes := make(chan outcome, len(d.Seeds))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, seed := range d.Seeds {
			o := once(text, r.Entry, d, seed, l)
			outcomes <- o
			if o.err != nil || ctx.Err() != nil {
				return
			}
		}
	}()
	err = l.within(ctx, done)
	for {
		select {
		case o := <-outcomes:
			if o.err != nil {
				return r, named(file, o.err)
			}
			r.add(o.seed, o.found)
			r.results(o)
		default:
			if err == nil {
				err = l.ended(r)
			}
			return r, err
		}
	}
}

// entry is the kernel to run: the one asked for, or the only one.
func entry(m *ptx.Module, asked string) (string, error) {
	var names []string
	for _, d := range m.Decls {
		if f, ok := d.(*ptx.Func); ok && f.Entry && f.Body != nil {
			if f.Name == asked {
				return asked, nil
			}
			names = append(names, f.Name)
		}
	}
	list := strings.Join(names, ", ")
	switch {
	case len(names) == 0:
		return "", errors.New("it has no kernel (.entry)")
	case asked != "":
		return "", fmt.Errorf("it has no kernel %q; it has %s", asked, list)
	case len(names) > 1:
		return "", fmt.Errorf("it has %d kernels; say in the launch which one is the entry: %s", len(names), list)
	}
	return names[0], nil
}

// outcome is what one seed led to.
type outcome struct {
	seed    int64
	found   []event.Finding
	buffers []*Buffer
	counts  []Count
	err     error
}

// once launches the kernel under one seed.
func once(text, entry string, d *Description, seed int64, l Limits) outcome {
	o := outcome{seed: seed}
	counts := &tally{}
	m := emu.New(emu.Config{Seed: seed, Budget: l.Instructions, Observe: func(l event.Launch) event.Observer {
		return event.Several(sanitize.Observe(l), counts)
	}})
	defer m.Close()
	var all []*held
	if all, o.err = d.launch(m, text, entry, l); o.err != nil {
		return o
	}
	o.found, o.counts = m.Findings(), counts.list()
	for _, h := range all {
		b, err := h.result(m)
		if err != nil {
			o.err = err
			return o
		}
		if b != nil {
			o.buffers = append(o.buffers, b)
		}
	}
	return o
}

// launch runs the kernel on a machine and returns the buffers.
func (d *Description) launch(m device.Device, text, entry string, l Limits) ([]*held, error) {
	mod, err := m.Load(text)
	if err != nil {
		return nil, err
	}
	k, err := mod.Kernel(entry)
	if err != nil {
		return nil, err
	}
	threads := int64(1)
	for i := range 3 {
		threads = min(threads*int64(d.Shape.Grid[i]), mostThreads)
	}
	for i := range 3 {
		threads = min(threads*int64(d.Shape.Block[i]), mostThreads)
	}
	local := int64(k.Resources().LocalBytes) // below the limit of memory, so the product is no overflow
	if err := l.memory("the local memory of all threads has", threads*local); err != nil {
		return nil, err
	}
	args, all, err := d.place(m)
	if err != nil {
		return nil, err
	}
	return all, k.Launch(d.Shape, args...)
}

// named puts the file's name to the emulator's "ptx:LINE:COLUMN".
func named(file string, err error) error {
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		if at, ok := strings.CutPrefix(line, "ptx:"); ok {
			lines[i] = file + ":" + at
		}
	}
	return errors.New(strings.Join(lines, "\n"))
}
