package hopper

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// emit records one instruction, with the Go line that asked for it.
func (k *Kernel) emit(name string, args ...ptx.Operand) {
	k.emitGuarded(nil, name, args...)
}

func (k *Kernel) emitGuarded(g *ptx.Guard, name string, args ...ptx.Operand) {
	if !k.recording() {
		return
	}
	parts := strings.Split(name, ".")
	k.last = k.source()
	k.body.Stmts = append(k.body.Stmts, &ptx.Instr{
		Guard: g, Op: parts[0], Mods: parts[1:], Args: args, Src: k.last,
	})
}

// source is the line of the caller outside this package, its file entered in
// the module's file list.
func (k *Kernel) source() ptx.Source {
	file, line := caller()
	for _, f := range k.files {
		if f.Name == file {
			return ptx.Source{File: f.Index, Line: line, Col: 1}
		}
	}
	f := ptx.File{Index: len(k.files) + 1, Name: file}
	k.files = append(k.files, f)
	return ptx.Source{File: f.Index, Line: line, Col: 1}
}

// caller finds the nearest frame outside the vocabulary, or in a test of it.
// The file is given with its folder only ("v1/kernel.go"), so that the text of
// a module does not depend on where the repository lies. Frames are told by
// file: a closure of this package that the compiler inlined into a lesson has
// the lesson's name.
func caller() (file string, line int) {
	_, self, _, _ := runtime.Caller(0)
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		inside := path.Dir(f.File) == path.Dir(self) && !strings.HasSuffix(f.File, "_test.go")
		if f.File != "" && !inside {
			return path.Join(path.Base(path.Dir(f.File)), path.Base(f.File)), f.Line
		}
		if !more {
			return "unknown", 0
		}
	}
}

// reg makes a new register of a class: "%h" for .b16, "%r" for .b32, "%rd" for
// .b64, "%f" for .f32, "%p" for predicates.
func (k *Kernel) reg(class string) string {
	n := k.counts[class]
	k.counts[class]++
	return fmt.Sprintf("%s%d", class, n)
}

func (k *Kernel) int32() Int { return Int{k, k.reg("%r")} }

// registers declares what reg has made.
func (k *Kernel) registers() []ptx.Stmt {
	var out []ptx.Stmt
	if k.sharedBytes > 0 {
		out = append(out, &ptx.Regs{Type: "b32", Name: sharedReg})
	}
	for _, c := range []struct {
		class string
		typ   ptx.Type
	}{{"%p", "pred"}, {"%h", "b16"}, {"%r", "b32"}, {"%rd", "b64"}, {"%f", "f32"}} {
		if n := k.counts[c.class]; n > 0 {
			out = append(out, &ptx.Regs{Type: c.typ, Name: c.class, Count: n})
		}
	}
	return out
}

// label makes a new label with a name that says what it is for.
func (k *Kernel) label(what string) string {
	k.labels++
	return fmt.Sprintf("$%s_%d", what, k.labels)
}

func (k *Kernel) place(label string) {
	k.body.Stmts = append(k.body.Stmts, &ptx.Label{Name: label})
}

func regOp(name string) ptx.Operand { return ptx.Reg{Name: name} }

func intOp(v int) ptx.Operand { return ptx.Int{Value: int64(v)} }
