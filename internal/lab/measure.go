package lab

import (
	"fmt"
	"time"

	"gohopper/pkg/hopper/device"
)

// The method of every published number: a pause, in which the card cools and
// its clock recovers; warm-ups; then iterations between two events of the
// stream, as one sample.
const (
	Pause      = 3 * time.Second
	WarmUps    = 5
	Iterations = 30
)

// Sample is one timed window.
type Sample struct {
	MS     float64         // of one iteration, the mean of the window
	Before *device.Reading // at its start; nil where the card has no sensors
	During *device.Reading // the last one taken while it ran
}

// Meter times work on a real device.
type Meter struct {
	dev        device.Device
	timer      device.Timer
	Pause      time.Duration
	Iterations int
}

// NewMeter makes a meter with the published method.
func NewMeter(dev device.Device) (*Meter, error) {
	timer, ok := dev.(device.Timer)
	if !ok {
		return nil, fmt.Errorf("%s keeps no time: it computes results, not seconds", dev.Info().Name)
	}
	return &Meter{dev, timer, Pause, Iterations}, nil
}

// Time takes one sample of what launch enqueues.
func (m *Meter) Time(launch func() error) (Sample, error) {
	var s Sample
	time.Sleep(m.Pause)
	for range WarmUps {
		if err := launch(); err != nil {
			return s, err
		}
	}
	if err := m.dev.Synchronize(); err != nil {
		return s, err
	}
	s.Before = m.read()
	stop := m.watch(&s.During)
	ms, err := m.timer.Time(func() error {
		for range m.Iterations {
			if err := launch(); err != nil {
				return err
			}
		}
		return nil
	})
	stop()
	s.MS = ms / float64(m.Iterations)
	return s, err
}

// watch reads the sensors every few milliseconds until stop is called, and
// keeps the last reading: the state that the work itself brought about.
func (m *Meter) watch(last **device.Reading) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				*last = m.read()
			}
		}
	}()
	return func() { close(quit); <-done }
}

// read asks the card's sensors; a card without them has no readings.
func (m *Meter) read() *device.Reading {
	sensor, ok := m.dev.(device.Sensor)
	if !ok {
		return nil
	}
	r, err := sensor.Read()
	if err != nil {
		return nil
	}
	return &r
}
