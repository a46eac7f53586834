package ptx

import (
	"fmt"
	"strconv"
	"strings"
)

// operandColumn is where operands begin, counted from the indentation, when
// the opcode is short enough.
const operandColumn = 24

// wrapAt is the number of elements above which a list takes several lines of
// that many.
const wrapAt = 8

// Print writes a module as PTX text, with its ".file" and ".loc" directives.
// Equal modules give equal text, and Parse reads back an equal module.
func Print(m *Module) string {
	w := writer{files: m.Files, lines: true}
	w.module(m)
	return w.b.String()
}

// PrintBare is Print without ".file" and ".loc": text that does not change
// when the source it came from moves by a line.
func PrintBare(m *Module) string {
	var w writer
	w.module(m)
	return w.b.String()
}

// operandText is an operand as PTX text.
func operandText(o Operand) string {
	var w writer
	w.operand(o)
	return w.b.String()
}

// String is the instruction as one line of PTX, guard and semicolon included.
func (in *Instr) String() string {
	s := in.head()
	for i, a := range in.Args {
		if i == 0 {
			s += " "
		} else {
			s += ", "
		}
		s += operandText(a)
	}
	return s + ";"
}

// head is the guard and the opcode.
func (in *Instr) head() string {
	if in.Guard == nil {
		return in.Name()
	}
	if in.Guard.Not {
		return "@!" + in.Guard.Reg + " " + in.Name()
	}
	return "@" + in.Guard.Reg + " " + in.Name()
}

// writer lays out PTX text. Spacing and punctuation live here and in
// print_decl.go, nowhere else.
type writer struct {
	b       strings.Builder
	files   []File
	lines   bool   // write .file and .loc
	src     Source // of the last .loc
	inlined bool   // some .loc needs inlinedSection
	indent  int
	blank   bool // the last line was blank or opened a block
}

// line writes one indented line.
func (w *writer) line(format string, args ...any) {
	w.tabs()
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
	w.blank = false
}

func (w *writer) tabs() {
	for range w.indent {
		w.b.WriteByte('\t')
	}
}

// space writes a blank line unless there is one.
func (w *writer) space() {
	if !w.blank {
		w.b.WriteByte('\n')
		w.blank = true
	}
}

// block writes a block with its braces.
func (w *writer) block(b *Block) {
	w.line("{")
	w.blank = true
	w.indent++
	var prev Stmt
	for _, s := range b.Stmts {
		if declares(prev) && !declares(s) {
			w.space()
		}
		w.stmt(s)
		prev = s
	}
	w.indent--
	w.line("}")
}

func declares(s Stmt) bool {
	switch s.(type) {
	case *Regs, *Var:
		return true
	}
	return false
}

func (w *writer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Instr:
		w.loc(s.Src)
		w.instr(s)
	case *Label:
		w.space()
		w.b.WriteString(s.Name + ":\n")
		w.blank = false
	case *Regs:
		w.regs(s)
	case *Var:
		w.line("%s;", varText(s))
	case *Block:
		w.block(s)
	case *Pragma:
		w.line(".pragma \"%s\";", s.Text)
	case *Targets:
		if s.Kind == "callprototype" {
			w.line("%s: .callprototype %s;", s.Label, s.Proto)
		} else {
			w.line("%s: .%s %s;", s.Label, s.Kind, strings.Join(s.Names, ", "))
		}
	}
}

func (w *writer) regs(r *Regs) {
	t := "." + string(r.Type)
	if r.Vector > 0 {
		t = fmt.Sprintf(".v%d %s", r.Vector, t)
	}
	if r.Count > 0 {
		w.line(".reg %-6s %s<%d>;", t, r.Name, r.Count)
	} else {
		w.line(".reg %-6s %s;", t, r.Name)
	}
}

func (w *writer) instr(in *Instr) {
	head := in.head()
	w.tabs()
	w.b.WriteString(head)
	for i, a := range in.Args {
		switch {
		case i > 0:
			w.b.WriteString(", ")
		case len(head) < operandColumn:
			w.b.WriteString(strings.Repeat(" ", operandColumn-len(head)))
		default:
			w.b.WriteByte(' ')
		}
		w.operand(a)
	}
	w.b.WriteString(";\n")
	w.blank = false
}

func (w *writer) operand(o Operand) {
	switch o := o.(type) {
	case Reg:
		w.b.WriteString(o.Name)
	case Sym:
		w.b.WriteString(symText(o))
	case Int:
		w.b.WriteString(intText(o))
	case Float32:
		fmt.Fprintf(&w.b, "0f%08X", o.Bits)
	case Float64:
		fmt.Fprintf(&w.b, "0d%016X", o.Bits)
	case Not:
		w.b.WriteByte('!')
		w.operand(o.X)
	case Neg:
		w.b.WriteByte('-')
		w.operand(o.X)
	case Addr:
		w.b.WriteByte('[')
		w.operand(o.Base)
		w.b.WriteString(offsetText(o.Offset) + "]")
	case Vec:
		w.list("{", o.Elems, "}")
	case Pair:
		w.operand(o.A)
		w.b.WriteByte('|')
		w.operand(o.B)
	case Paren:
		w.list("(", o.Elems, ")")
	case Tensor:
		w.b.WriteByte('[')
		w.operand(o.Map)
		w.b.WriteString(offsetText(o.Offset) + ", ")
		w.list("{", o.Coords, "}")
		w.b.WriteByte(']')
	case Sink:
		w.b.WriteByte('_')
	}
}

// list writes operands between brackets, a long list on lines of its own.
func (w *writer) list(open string, elems []Operand, closing string) {
	w.b.WriteString(open)
	for i, e := range elems {
		if i > 0 {
			w.b.WriteString(",")
		}
		switch {
		case len(elems) > wrapAt && i%wrapAt == 0:
			w.b.WriteByte('\n')
			w.tabs()
			w.b.WriteByte('\t')
		case i > 0:
			w.b.WriteByte(' ')
		}
		w.operand(e)
	}
	w.b.WriteString(closing)
}

func intText(i Int) string {
	if i.Unsigned {
		return strconv.FormatUint(uint64(i.Value), 10) + "U"
	}
	return strconv.FormatInt(i.Value, 10)
}

func symText(s Sym) string {
	t := s.Name
	if s.Generic {
		t = "generic(" + t + ")"
	}
	t += offsetText(s.Offset)
	if s.Mask != 0 {
		t = fmt.Sprintf("0x%X(%s)", s.Mask, t)
	}
	return t
}

// offsetText is a byte offset, nothing for 0. A negative one is written "+-8",
// because ptxas does not read "-8".
func offsetText(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("+%d", n)
}
