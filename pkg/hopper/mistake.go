package hopper

import (
	"fmt"
	"strings"
)

const (
	warpThreads      = 32
	warpgroupThreads = 128
)

// mistake keeps an error of the kernel's author, with the line that made it.
func (k *Kernel) mistake(format string, args ...any) {
	file, line := caller()
	k.mistakeAt(fmt.Sprintf("%s:%d", file, line), format, args...)
}

// mistakeAt is mistake with a line that was noted before.
func (k *Kernel) mistakeAt(where, format string, args ...any) {
	k.note(fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...)))
}

// Require is a kernel's own rule about its parameters. Where it does not hold,
// the message is reported with the line, beside the vocabulary's own mistakes.
// It records nothing.
func (k *Kernel) Require(holds bool, format string, args ...any) {
	if !holds {
		file, line := caller()
		k.mistakeAt(fmt.Sprintf("%s:%d", file, line), format, args...)
	}
}

// note keeps an error once, however often a Go loop repeats it.
func (k *Kernel) note(err error) {
	for _, e := range k.errs {
		if e.Error() == err.Error() {
			return
		}
	}
	k.errs = append(k.errs, err)
}

// recording reports whether words still count.
func (k *Kernel) recording() bool {
	if k.done {
		k.mistake("a word after Module: the recording has ended, so this is not in the module; move it before the call")
	}
	return !k.done
}

// owned is a value that belongs to the kernel whose word made it.
type owned interface{ owner() *Kernel }

func (a Int) owner() *Kernel       { return a.k }
func (p Pred) owner() *Kernel      { return p.k }
func (p place) owner() *Kernel     { return p.k }
func (m TensorMap) owner() *Kernel { return m.k }
func (b Box) owner() *Kernel       { return b.m.k }
func (m Matrix) owner() *Kernel    { return m.k }

func (a *Accumulator) owner() *Kernel {
	if a == nil {
		return nil
	}
	return a.k
}

// owns reports whether all of a word's arguments belong to this kernel.
func (k *Kernel) owns(word string, values ...owned) bool {
	for _, v := range values {
		name := strings.TrimPrefix(strings.TrimPrefix(fmt.Sprintf("%T", v), "*"), "hopper.")
		switch o := v.owner(); o {
		case k:
			continue
		case nil:
			k.mistake("%s is given a zero %s; give it one that a word of this kernel returned", word, name)
		default:
			k.mistake("%s is given the %s of another kernel, %s; values cannot cross kernels, so make it in %s",
				word, name, o.name, k.name)
		}
		return false
	}
	return true
}

// byAll notes a word that the whole group must execute together, inside the
// body of a word for one thread.
func (k *Kernel) byAll(word, group string) {
	if k.solo != "" {
		k.mistake("%s inside %s: the whole %s executes it together and one thread alone may not; move it out of the body",
			word, k.solo, group)
	}
}

// byWarpgroup is byAll for a warpgroup.
func (k *Kernel) byWarpgroup(word string) {
	k.hasWarpgroup(word)
	k.byAll(word, "warpgroup")
}

// hasWarpgroup notes a word that no warpgroup is there to execute.
func (k *Kernel) hasWarpgroup(word string) {
	if k.threads < warpgroupThreads {
		k.mistake("%s in a CTA of %d threads: it is for a warpgroup, so use Threads(%d) or more",
			word, k.threads, warpgroupThreads)
	}
}

// inCluster notes a word that only makes sense among several CTAs.
func (k *Kernel) inCluster(word string) {
	if k.cluster == 1 {
		k.mistake("%s in a kernel without a cluster: begin it with hopper.Cluster(2) or more", word)
	}
}
