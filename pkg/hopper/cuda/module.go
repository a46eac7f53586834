//go:build cuda && cgo

package cuda

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gohopper/pkg/hopper/device"
)

// module is PTX that the driver compiled.
type module struct {
	gpu    *gpu
	handle moduleHandle
	log    string
	closed bool
}

// Load has the driver compile PTX for this card. The error quotes the lines
// that the compiler names. A module in a newer PTX ISA than the driver knows
// is ErrOldDriver.
func (g *gpu) Load(text string) (device.Module, error) {
	if strings.ContainsRune(text, 0) {
		return nil, fmt.Errorf("cuda: the PTX text has a NUL byte at offset %d", strings.IndexByte(text, 0))
	}
	m := &module{gpu: g}
	var errors string
	var r result
	err := g.on("cuModuleLoadDataEx", func() result {
		m.handle, errors, m.log, r = loadModule(text)
		return r
	})
	switch {
	case err == nil:
		m.log = strings.TrimSpace(m.log)
		return m, nil
	case r == unsupportedPTX:
		return nil, fmt.Errorf("cuda: the module is PTX %s, and the driver supports CUDA %v, which compiles PTX up to %v: %w",
			versionOf(text), g.version, newestISA(g.version), ErrOldDriver)
	case strings.TrimSpace(errors) != "":
		return nil, fmt.Errorf("cuda: the driver's compiler refused the PTX:\n%s", quoteLines(errors, text))
	}
	return nil, err
}

var (
	isaLine = regexp.MustCompile(`(?m)^\s*\.version\s+(\d+\.\d+)`)
	logLine = regexp.MustCompile(`\bline (\d+)\b`)
)

// versionOf is the number in the text's .version directive.
func versionOf(text string) string {
	if m := isaLine.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return "of an unnamed version"
}

// quoteLines puts under each line of a compiler's log the line of PTX that it
// names, as in
//
//	ptxas application ptx input, line 7; error   : Unknown symbol 'x'
//	     7 | mov.u32 %r1, x;
func quoteLines(log, text string) string {
	lines := strings.Split(text, "\n")
	var b strings.Builder
	for _, l := range strings.Split(strings.TrimSpace(log), "\n") {
		fmt.Fprintf(&b, "  %s\n", l)
		m := logLine.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if n, err := strconv.Atoi(m[1]); err == nil && n >= 1 && n <= len(lines) {
			fmt.Fprintf(&b, "  %5d | %s\n", n, strings.TrimSpace(lines[n-1]))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func (m *module) Log() string { return m.log }

// Close unloads the module; its kernels must not be launched afterwards.
func (m *module) Close() error {
	if m.closed {
		return nil
	}
	m.closed = true
	return m.gpu.on("cuModuleUnload", func() result { return unloadModule(m.handle) })
}
