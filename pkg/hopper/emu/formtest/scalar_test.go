package formtest

import (
	"fmt"
	"slices"
	"strings"
)

// scalar is how an instruction is applied: the types of what it reads and
// writes, and its text with a0, a1, … and d0, d1, … for the operands.
type scalar struct {
	name    string
	results []string
	sources []string
	text    string
}

// plain is the usual order: destinations, then sources.
func plain(name string, result string, sources ...string) scalar {
	s := scalar{name: name, results: []string{result}, sources: sources}
	names := []string{"d0"}
	for i := range sources {
		names = append(names, fmt.Sprintf("a%d", i))
	}
	s.text = name + " " + strings.Join(names, ", ") + ";"
	return s
}

// scalarOf is the application of an instruction of the scalar tables, by the
// rules of PTX 9.7.1 to 9.7.9.
func scalarOf(op string, mods []string) scalar {
	mods = slices.DeleteFunc(slices.Clone(mods), func(m string) bool { return m == "" })
	name := dotted(op, mods)
	typ := mods[len(mods)-1]
	has := func(m string) bool { return slices.Contains(mods, m) }
	switch op {
	case "mov":
		if typ == "b128" {
			return scalar{name: name, results: []string{"b64", "b64"}, sources: []string{"b64", "b64"},
				text: "{ .reg .b128 q; mov.b128 q, {a0, a1}; mov.b128 {d1, d0}, q; }"}
		}
		return plain(name, typ, typ)
	case "abs", "neg", "not", "cnot", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "brev":
		return plain(name, typ, typ)
	case "popc", "clz", "bfind":
		return plain(name, "u32", typ)
	case "mad", "madc", "mul", "add", "addc", "sub", "subc":
		return arithmetic(op, name, typ, has)
	case "fma", "sad", "mad24":
		return plain(name, typ, typ, typ, typ)
	case "fns", "bmsk", "dp4a", "dp2a":
		s := []string{"b32", "b32", "b32"}
		switch op {
		case "fns":
			s = []string{"b32", "shift", "shift"}
		case "bmsk":
			s = []string{"shift", "shift"}
		}
		return plain(name, "b32", s...)
	case "szext":
		return plain(name, typ, typ, "shift")
	case "bfe":
		return plain(name, typ, typ, "shift", "shift")
	case "bfi":
		return plain(name, typ, typ, typ, "shift", "shift")
	case "shl", "shr":
		return plain(name, typ, typ, "shift")
	case "shf":
		return plain(name, typ, typ, typ, "shift")
	case "prmt":
		return plain(name, "b32", "b32", "b32", "b32")
	case "lop3":
		return lookups(name, mods)
	case "setp":
		return comparison(name, typ, has)
	case "set":
		s := plain(name, mods[len(mods)-2], typ, typ)
		if has("and") || has("or") || has("xor") {
			s = plain(name, mods[len(mods)-2], typ, typ, "pred")
		}
		return s
	case "selp":
		return plain(name, typ, typ, typ, "pred")
	case "slct":
		from := mods[len(mods)-2]
		return plain(name, from, from, from, typ)
	case "testp":
		return plain(name, "pred", typ)
	case "cvt":
		return conversion(name, mods)
	case "vabsdiff2", "vabsdiff4":
		return plain(name, "u32", "u32", "u32", "u32")
	}
	return plain(name, typ, typ, typ)
}

// arithmetic is what has wide and carrying forms. The flag of a carrying form
// is set before it and read after it by additions or subtractions, its own kind.
func arithmetic(op, name, typ string, has func(string) bool) scalar {
	wide := typ
	if has("wide") {
		wide = typ[:1] + fmt.Sprint(2*bitsOf(typ))
	}
	sources := []string{typ, typ}
	if op == "mad" || op == "madc" {
		sources = append(sources, wide)
	}
	s := plain(name, wide, sources...)
	reads, writes := op == "addc" || op == "subc" || op == "madc", has("cc")
	if !reads && !writes {
		return s
	}
	set, get := "add.cc", "addc"
	if strings.HasPrefix(op, "sub") {
		set, get = "sub.cc", "subc"
	}
	if reads {
		s.sources = append(s.sources, "u32", "u32")
		n := len(s.sources)
		s.results = append(s.results, "u32")
		s.text = fmt.Sprintf("%s.u32 d1, a%d, a%d; %s", set, n-2, n-1, s.text)
	}
	if writes {
		s.results = append(s.results, "u32")
		s.text += fmt.Sprintf(" %s.u32 d%d, 0, 0;", get, len(s.results)-1)
	}
	return s
}

// lookups applies lop3 with several tables.
func lookups(name string, mods []string) scalar {
	s := scalar{name: name, sources: []string{"b32", "b32", "b32"}}
	for i, lut := range []int{0x00, 0x80, 0x96, 0xe8, 0xca, 0x1b, 0x57, 0xff} {
		if len(mods) == 1 {
			s.results = append(s.results, "b32")
			s.text += fmt.Sprintf("%s d%d, a0, a1, a2, %#x; ", name, i, lut)
			continue
		}
		s.results = append(s.results, "b32", "pred")
		s.text += fmt.Sprintf("%s d%d|d%d, a0, a1, a2, %#x, a3; ", name, 2*i, 2*i+1, lut)
	}
	if len(mods) > 1 {
		s.sources = append(s.sources, "pred")
	}
	return s
}

func comparison(name, typ string, has func(string) bool) scalar {
	s := scalar{name: name, results: []string{"pred", "pred"}, sources: []string{typ, typ}, text: name + " d0|d1, a0, a1"}
	if typ == "f16" || typ == "bf16" { // these give one predicate
		s.results, s.text = s.results[:1], name+" d0, a0, a1"
	}
	if has("and") || has("or") || has("xor") {
		s.sources = append(s.sources, "pred")
		s.text += ", a2"
	}
	s.text += ";"
	return s
}

func conversion(name string, mods []string) scalar {
	if mods[0] == "pack" {
		if len(mods) == 5 {
			return plain(name, "b32", "s32", "s32", "b32")
		}
		return plain(name, "b32", "s32", "s32")
	}
	to, from := mods[len(mods)-2], mods[len(mods)-1]
	if strings.HasSuffix(to, "x2") && from == "f32" {
		return plain(name, to, from, from)
	}
	if to == "bf16" && bitsOf(from) == 16 && strings.HasSuffix(from, "8") {
		from = "reg." + from
	}
	if from == "bf16" && strings.HasSuffix(to, "8") {
		to = "reg." + to
	}
	return plain(name, to, from)
}

// width is the type of a register or of a memory access for a type. Only
// conversions between bf16 and bytes want registers of a byte.
func width(typ string) string {
	if own, ok := strings.CutPrefix(typ, "reg."); ok {
		return own
	}
	return fmt.Sprintf("b%d", bitsOf(typ))
}

// entry is a kernel that applies the instruction to cell i of each operand in
// thread i of 512. Guarded, half of the lanes do not, and keep the destination
// that they had.
func (s scalar) entry(kernel string, guarded bool) string {
	var decl, load, store strings.Builder
	for i, typ := range s.sources {
		if typ == "pred" {
			fmt.Fprintf(&decl, "\t.reg .pred a%d;\n", i)
			fmt.Fprintf(&load, "\tld.global.b32 %%t, [%%in+%d];\n\tsetp.ne.u32 a%d, %%t, 0;\n", 8*cases*i, i)
			continue
		}
		fmt.Fprintf(&decl, "\t.reg .%s a%d;\n", width(typ), i)
		fmt.Fprintf(&load, "\tld.global.%s a%d, [%%in+%d];\n", width(typ), i, 8*cases*i)
	}
	for i, typ := range s.results {
		if typ == "pred" {
			fmt.Fprintf(&decl, "\t.reg .pred d%d;\n", i)
			if guarded {
				fmt.Fprintf(&load, "\tsetp.lt.u32 d%d, %%i, 200;\n", i)
			}
			fmt.Fprintf(&store, "\tselp.u32 %%t, 1, 0, d%d;\n\tst.global.b32 [%%out+%d], %%t;\n", i, 8*cases*i)
			continue
		}
		fmt.Fprintf(&decl, "\t.reg .%s d%d;\n", width(typ), i)
		if guarded {
			fmt.Fprintf(&load, "\tcvt.u%d.u32 d%d, %%i;\n", bitsOf(typ), i)
		}
		fmt.Fprintf(&store, "\tst.global.%s [%%out+%d], d%d;\n", width(typ), 8*cases*i, i)
	}
	text := s.text
	if guarded {
		load.WriteString("\tmul.lo.u32 %t, %i, 0x9e3779b1;\n\tsetp.lt.s32 on, %t, 0;\n")
		text = "@on " + strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(text), ";"), "; ", "; @on ") + ";"
	}
	return fmt.Sprintf(`.visible .entry %s(.param .u64 in, .param .u64 out)
{
	.reg .b64 %%in, %%out, %%w;
	.reg .b32 %%t, %%i;
	.reg .pred on;
%s	ld.param.u64 %%in, [in];
	ld.param.u64 %%out, [out];
	mov.u32 %%t, %%ctaid.x;
	mov.u32 %%i, %%tid.x;
	mad.lo.u32 %%i, %%t, 128, %%i;
	mul.wide.u32 %%w, %%i, 8;
	add.u64 %%in, %%in, %%w;
	add.u64 %%out, %%out, %%w;
%s	%s
%s	ret;
}
`, kernel, decl.String(), load.String(), text, store.String())
}
