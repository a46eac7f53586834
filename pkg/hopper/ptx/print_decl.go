package ptx

import (
	"fmt"
	"slices"
	"strings"
)

// debugSection is there because ptxas refuses the target option "debug" without
// debug information.
const debugSection = ".section .debug_info {}\n"

func (w *writer) module(m *Module) {
	w.line(".version %v", m.Version)
	if len(m.Target) > 0 {
		w.line(".target %s", strings.Join(m.Target, ", "))
	}
	if m.AddressSize != 0 {
		w.line(".address_size %d", m.AddressSize)
	}
	if w.lines && len(m.Files) > 0 {
		w.space()
		for _, f := range m.Files {
			w.line(".file %d \"%s\"", f.Index, f.Name)
		}
	}
	apart := true
	for _, d := range m.Decls {
		_, isFunc := d.(*Func)
		if apart || isFunc {
			w.space()
		}
		apart = isFunc // a function is followed by a blank line
		switch d := d.(type) {
		case *Var:
			w.line("%s;", varText(d))
		case *Func:
			w.function(d)
		case *Alias:
			w.line(".alias %s, %s;", d.Name, d.Target)
		case *Pragma:
			w.line(".pragma \"%s\";", d.Text)
		}
	}
	if w.inlined {
		w.space()
		w.b.WriteString(inlinedSection)
	}
	if slices.Contains(m.Target, "debug") {
		w.space()
		w.b.WriteString(debugSection)
	}
}

func (w *writer) function(f *Func) {
	w.src = Source{}
	if f.Linkage != "" {
		fmt.Fprintf(&w.b, ".%s ", f.Linkage)
	}
	if f.Entry {
		w.b.WriteString(".entry ")
	} else {
		w.b.WriteString(".func ")
		if len(f.Returns) > 0 {
			var list []string
			for _, r := range f.Returns {
				list = append(list, varText(r))
			}
			w.b.WriteString("(" + strings.Join(list, ", ") + ") ")
		}
	}
	w.b.WriteString(f.Name)
	w.parameters(f.Params)
	for _, d := range f.Directives {
		w.b.WriteString("\n" + directiveText(d))
	}
	if f.Body == nil {
		w.b.WriteString(";\n")
		w.blank = false
		return
	}
	w.b.WriteByte('\n')
	w.block(f.Body)
}

// parameters writes one parameter a line.
func (w *writer) parameters(list []*Var) {
	if len(list) == 0 {
		w.b.WriteString("()")
		return
	}
	w.b.WriteString("(\n")
	for i, v := range list {
		w.b.WriteString("\t" + varText(v))
		if i < len(list)-1 {
			w.b.WriteByte(',')
		}
		w.b.WriteByte('\n')
	}
	w.b.WriteByte(')')
}

func directiveText(d Directive) string {
	if d.Name == "pragma" {
		return ".pragma \"" + d.Text + "\";"
	}
	var values []string
	for _, v := range d.Values {
		values = append(values, fmt.Sprint(v))
	}
	return strings.TrimSpace("." + d.Name + " " + strings.Join(values, ", "))
}

// varText is a declaration without its semicolon.
func varText(v *Var) string {
	var b strings.Builder
	if v.Linkage != "" {
		fmt.Fprintf(&b, ".%s ", v.Linkage)
	}
	fmt.Fprintf(&b, ".%s ", v.Space)
	if v.Attribute != "" {
		fmt.Fprintf(&b, ".attribute(.%s) ", v.Attribute)
	}
	if v.Align != 0 {
		fmt.Fprintf(&b, ".align %d ", v.Align)
	}
	if v.Vector != 0 {
		fmt.Fprintf(&b, ".v%d ", v.Vector)
	}
	fmt.Fprintf(&b, ".%s ", v.Type)
	if v.Ptr {
		b.WriteString(".ptr ")
		if v.PtrSpace != "" {
			fmt.Fprintf(&b, ".%s ", v.PtrSpace)
		}
		if v.PtrAlign != 0 {
			fmt.Fprintf(&b, ".align %d ", v.PtrAlign)
		}
	}
	b.WriteString(v.Name)
	for _, d := range v.Dims {
		if d == 0 {
			b.WriteString("[]")
		} else {
			fmt.Fprintf(&b, "[%d]", d)
		}
	}
	if len(v.Init) > 0 {
		b.WriteString(" = ")
		writeInit(&b, v)
	}
	return b.String()
}

// writeInit writes an initialiser with a brace level for every dimension.
func writeInit(b *strings.Builder, v *Var) {
	dims := v.Dims
	if v.Vector > 0 {
		dims = append(append([]int(nil), dims...), v.Vector)
	}
	if len(dims) == 0 {
		b.WriteString(operandText(v.Init[0]))
		return
	}
	writeRow(b, v.Init, dims)
}

func writeRow(b *strings.Builder, values []Operand, dims []int) {
	row := extent(dims[1:])
	b.WriteByte('{')
	for i := 0; i < len(values); i += row {
		if i > 0 {
			b.WriteString(", ")
		}
		if len(dims) > 1 {
			writeRow(b, values[i:min(i+row, len(values))], dims[1:])
		} else {
			b.WriteString(operandText(values[i]))
		}
	}
	b.WriteByte('}')
}
