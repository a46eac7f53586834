//go:build cuda && cgo

package formtest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/cuda"
	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu"
)

var (
	recordFile = flag.String("record", "", "write the GPU's outputs to this file, testdata/"+recordingFile+" when committed")
	dumpFile   = flag.String("dump", "", "write both machines' outputs where they disagree to this file")
	part       = flag.String("part", "", "only this part, as a child process")
	from       = flag.Int("from", 0, "its first micro-test")
)

const (
	together = 6                 // processes at a time
	loading  = 30 * time.Second  // until a process has loaded its module
	idle     = 8 * time.Second   // without a word thereafter, it hangs
	all      = 105 * time.Second // for everything
)

// TestGPU runs every micro-test on both machines. A part runs in a process of
// its own, since a kernel that a GPU stops at ends its context: the process
// that follows goes on behind it.
func TestGPU(t *testing.T) {
	if *part != "" {
		child(t)
		return
	}
	d, err := cuda.Open(0)
	if err != nil {
		t.Skip(err)
	}
	info := d.Info()
	require.NoError(t, d.Close())
	time.AfterFunc(all+12*time.Second, func() {
		fmt.Println("formtest: out of time")
		os.Exit(3)
	})
	ctx, stop := context.WithTimeout(context.Background(), all)
	defer stop()

	r := newRecording(info, time.Now().UTC().Format(time.DateOnly))
	dump := map[string][2][]byte{}
	var lock sync.Mutex
	var group sync.WaitGroup
	slots := make(chan bool, together)
	agree, total := 0, 0
	for i, p := range parts(catalogue()) {
		group.Go(func() {
			slots <- true
			defer func() { <-slots }()
			began := time.Now()
			outs, errs := onGPU(ctx, i, p)
			onCard := time.Since(began)
			expected, err := run(emu.New(emu.Config{Workers: 2}), p)
			lock.Lock()
			defer lock.Unlock()
			if !assert.NoError(t, err, p[0].group) {
				return
			}
			bad := 0
			for j, m := range p {
				total++
				if errs[j] == nil && outs[j] == nil {
					errs[j] = fmt.Errorf("it did not run")
				}
				r.Tests[m.key()] = m.result(outs[j], errs[j])
				if m.stops {
					if errs[j] == nil {
						t.Errorf("%s: the GPU did not stop", m.name)
					} else {
						agree++
					}
					continue
				}
				if errs[j] != nil {
					t.Errorf("%s: %v", m.name, errs[j])
					continue
				}
				if difference := m.compare(expected[j], outs[j]); difference != "" {
					t.Errorf("%s: %s", m.name, difference)
					dump[m.key()] = [2][]byte{expected[j], outs[j]}
					bad++
					continue
				}
				agree++
			}
			fmt.Printf("%-40s %4d tests, %3d disagree, %4.1f s, with the emulator %4.1f s\n", p[0].group+" to "+p[len(p)-1].group, len(p), bad, onCard.Seconds(), time.Since(began).Seconds())
		})
	}
	group.Wait()
	fmt.Printf("%s, driver %s: %d of %d micro-tests agree\n", info.Name, info.Driver, agree, total)
	if *recordFile != "" {
		require.NoError(t, write(*recordFile, r))
	}
	if *dumpFile != "" {
		require.NoError(t, write(*dumpFile, dump))
	}
}

// onGPU runs a part in child processes.
func onGPU(ctx context.Context, index int, p []micro) (outs [][]byte, errs []error) {
	outs, errs = make([][]byte, len(p)), make([]error, len(p))
	for next, tries := 0, 0; next < len(p) && ctx.Err() == nil && tries < 24; tries++ {
		var last string
		next, last = process(ctx, index, next, outs, errs)
		if next < len(p) {
			if errs[next] == nil {
				errs[next] = fmt.Errorf("the process ended: %s", last)
			}
			next++
		}
	}
	return outs, errs
}

// process runs a child from a micro-test on. It returns the first that has no
// output, and what the child last said.
func process(ctx context.Context, index, next int, outs [][]byte, errs []error) (int, string) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	self, err := os.Executable()
	if err != nil {
		return next, err.Error()
	}
	c := exec.CommandContext(ctx, self, "-test.run=^TestGPU$", "-part", strconv.Itoa(index), "-from", strconv.Itoa(next))
	c.WaitDelay = 2 * time.Second
	pipe, err := c.StdoutPipe()
	if err != nil {
		return next, err.Error()
	}
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		return next, err.Error()
	}
	watch := time.AfterFunc(loading, stop)
	last := "it said nothing in time"
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		watch.Reset(idle)
		kind, rest, _ := strings.Cut(lines.Text(), " ")
		number, text, _ := strings.Cut(rest, " ")
		i, err := strconv.Atoi(number)
		switch {
		case kind == "formtest-out" && err == nil && i < len(outs):
			outs[i], _ = base64.StdEncoding.DecodeString(text)
			next = i + 1
		case kind == "formtest-error" && err == nil && i < len(outs):
			errs[i] = fmt.Errorf("%s", text)
		case kind != "formtest-loaded" && kind != "PASS":
			last = lines.Text()
		}
	}
	watch.Stop()
	stop()
	_ = c.Wait() // what it was killed for is known
	if said.Len() > 0 {
		last += " " + said.String()
	}
	return next, last
}

// child runs one part and prints the outputs.
func child(t *testing.T) {
	index, err := strconv.Atoi(*part)
	require.NoError(t, err)
	p := parts(catalogue())[index]
	d, err := cuda.Open(0)
	require.NoError(t, err)
	runtime.LockOSThread()
	say := func(kind string, i int, text string) {
		fmt.Printf("formtest-%s %d %s\n", kind, i, strings.ReplaceAll(text, "\n", " | "))
	}
	b, err := begin(d, p)
	if err != nil {
		for i := range p[*from:] {
			say("error", *from+i, err.Error())
			say("out", *from+i, "")
		}
		return
	}
	say("loaded", *from, "")
	for i := *from; i < len(p); i++ {
		out, err := p[i].runOn(b)
		if err != nil {
			say("error", i, err.Error())
			os.Exit(1)
		}
		say("out", i, base64.StdEncoding.EncodeToString(out))
	}
}

var _ device.Device
