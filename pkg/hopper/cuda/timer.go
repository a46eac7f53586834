//go:build cuda && cgo

package cuda

import "gorgonia.org/cu"

// Time runs work between two events of the default stream and returns the
// milliseconds between them (resolution about half a microsecond). Work is
// enqueued by the caller's function; Time waits for it.
func (g *gpu) Time(work func() error) (ms float64, err error) {
	var start, stop cu.Event
	for _, e := range []*cu.Event{&start, &stop} {
		if err := g.on("cuEventCreate", func() result {
			var err error
			*e, err = cu.MakeEvent(cu.DefaultEvent)
			return ofCu(err)
		}); err != nil {
			return 0, err
		}
		defer g.on("cuEventDestroy", func() result { return ofCu(cu.DestroyEvent(e)) })
	}
	if err := g.record(start); err != nil {
		return 0, err
	}
	if err := work(); err != nil {
		return 0, err
	}
	if err := g.record(stop); err != nil {
		return 0, err
	}
	if err := g.on("cuEventSynchronize", func() result { return ofCu(stop.Synchronize()) }); err != nil {
		return 0, err
	}
	g.pending = 0
	err = g.on("cuEventElapsedTime", func() result {
		var err error
		ms, err = start.Elapsed(stop)
		return ofCu(err)
	})
	return ms, err
}

func (g *gpu) record(e cu.Event) error {
	return g.on("cuEventRecord", func() result { return ofCu(e.Record(cu.NoStream)) })
}
