package emu

import (
	"encoding/binary"
	"fmt"

	"gohopper/pkg/hopper/event"
	"gohopper/pkg/hopper/ptx"
)

// supplied are the functions without a body that a GPU's driver supplies and
// the emulator answers to. They stand in branches that correct kernels never
// take, so meeting one while compiling is no reason to refuse the kernel.
var supplied = map[string]func(c *compiler, x callOperands) op{
	"__assertfail": compileAssertFail,
	"vprintf":      compilePrintf,
}

// compileAssertFail compiles what assert calls when it fails: a message, a
// file, a line, a function and the size of a character. The kernel ends there.
func compileAssertFail(c *compiler, x callOperands) op {
	args := c.passed(x.arguments, 5)
	return func(w *warp, m mask) *wait {
		lane := m.first()
		w.report(m, event.Finding{
			Rule: "assert", Severity: event.Error,
			Message: fmt.Sprintf("the assertion %s failed at %s:%d in %s", w.text(lane, args[0]), w.text(lane, args[1]),
				uint32(w.argument(lane, args[2], 4)), w.text(lane, args[3])),
		})
		w.cta.cluster.faults = mostFaults
		w.changed = true
		return nil
	}
}

// compilePrintf compiles what printf calls: with the format and the packed
// values. Nothing is printed.
func compilePrintf(c *compiler, x callOperands) op {
	args := c.passed(x.arguments, 2)
	results := c.passed(x.results, 1)
	return func(w *warp, m mask) *wait {
		w.report(m, event.Finding{
			Rule: "printf", Severity: event.Error,
			Message: fmt.Sprintf("calls printf with the format %q, and the emulator prints nothing", w.text(m.first(), args[0])),
			Advice:  "store what you want to see, and look at it from the host",
		})
		for lane := range lanes {
			if m>>lane&1 != 0 {
				if b := w.cta.cluster.bytes(w.agent(1<<lane), spaceParam, results[0], 4, 4, write); b != nil {
					binary.LittleEndian.PutUint32(b, 0)
				}
			}
		}
		return nil
	}
}

// passed finds the .param variables that a call passes.
func (c *compiler) passed(operands []ptx.Operand, n int) []uint64 {
	list := make([]uint64, n)
	if len(operands) != n {
		c.failf("passes %d values where %d are expected", len(operands), n)
		return list
	}
	for i, o := range operands {
		s, _ := o.(ptx.Sym)
		v, ok := c.scope.variable(s.Name)
		if !ok {
			c.failf("the emulator takes only .param variables here")
		}
		list[i] = v.addr
	}
	return list
}

// argument reads n bytes of a .param variable.
func (w *warp) argument(lane int, addr uint64, n int) uint64 {
	var word [8]byte
	copy(word[:], w.cta.cluster.bytes(w.agent(1<<lane), spaceParam, addr, n, n, read))
	return binary.LittleEndian.Uint64(word[:])
}

// text reads the string that a pointer in a .param variable points to.
func (w *warp) text(lane int, pointer uint64) string {
	const most = 200 // bytes; the rest of a longer one is left out
	at := w.argument(lane, pointer, 8)
	var s []byte
	for len(s) < most {
		b := w.cta.cluster.bytes(w.agent(1<<lane), spaceGeneric, at+uint64(len(s)), 1, 1, read)
		if b == nil || b[0] == 0 {
			break
		}
		s = append(s, b[0])
	}
	return string(s)
}
