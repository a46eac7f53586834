package ptx

import "strings"

// typeGroups are the names that stand for several types in the tables below.
var typeGroups = map[string][]string{
	"ints":   {"u16", "s16", "u32", "s32", "u64", "s64"},
	"signed": {"s16", "s32", "s64"},
	"bits":   {"b16", "b32", "b64"},
	"floats": {"f32", "f64"},
	"halves": {"f16", "bf16", "f16x2", "bf16x2"},
	"bytes":  {"b8", "u8", "s8"},
}

// typeTable lists the types of instructions that have one: opcode with the
// modifiers that matter, types. The first line that fits an instruction
// counts; an instruction without a line, or with several types, is not
// checked. Compared with what ptxas accepts.
const typeTable = `
add        ints floats halves f32x2 u16x2 s16x2
sub        ints floats halves f32x2 u16x2 s16x2
addc       ints
subc       ints
mul.lo     ints
mul.hi     ints
mul.wide   u16 s16 u32 s32
mul        ints floats halves f32x2
mad.lo     ints
mad.hi     ints
mad.wide   u16 s16 u32 s32
mad        ints floats
mul24      u32 s32
mad24      u32 s32
fma        floats halves f32x2
sad        ints
div        ints floats
rem        ints
neg        signed floats halves
abs        signed floats halves
min        ints floats halves u16x2 s16x2
max        ints floats halves u16x2 s16x2
rcp        floats
sqrt       floats
rsqrt      floats
sin        f32
cos        f32
lg2        f32
ex2        f32 halves
tanh       f32 halves
copysign   floats
testp      floats
and        bits pred
or         bits pred
xor        bits pred
not        bits pred
cnot       bits
shl        bits
shr        bits ints
shf        b32
lop3       b32
prmt       b32
bfe        u32 s32 u64 s64
bfi        b32 b64
brev       b32 b64
popc       b32 b64
clz        b32 b64
bfind      u32 s32 u64 s64
szext      u32 s32
bmsk       b32
fns        b32
setp.eq    bits ints floats halves
setp.ne    bits ints floats halves
setp       ints floats halves
selp       bits ints floats
mov        bits ints floats b128 pred
ld         bytes bits ints floats b128
ldu        bytes bits ints floats b128
st         bytes bits ints floats b128
shfl       b32
activemask b32
match      b32 b64
atom.and   b32 b64
atom.or    b32 b64
atom.xor   b32 b64
atom.exch  b32 b64 b128
atom.cas   b16 b32 b64 b128
atom.inc   u32
atom.dec   u32
red.async.and b32
red.async.or  b32
red.async.xor b32
red.async.inc u32
red.async.dec u32
red.async.min u32 s32
red.async.max u32 s32
red.async  u32 s32 u64 s64
red.and    b32 b64
red.or     b32 b64
red.xor    b32 b64
red.inc    u32
red.dec    u32
atom.add   u32 s32 u64 floats halves
red.add    u32 s32 u64 floats halves
nanosleep  u32
`

// choiceTable lists modifiers of which an instruction has to carry one:
// opcode, types, the modifiers.
const choiceTable = `
mul    ints          lo hi wide
mad    ints          lo hi wide
mul24  ints          lo hi
mad24  ints          lo hi
mad    floats        rn rz rm rp
fma    floats,halves rn rz rm rp
div    floats        approx full rn rz rm rp
rcp    floats        approx rn rz rm rp
sqrt   floats        approx rn rz rm rp
rsqrt  floats        approx
sin    floats        approx
cos    floats        approx
lg2    floats        approx
ex2    floats,halves approx
tanh   floats,halves approx
shf    bits          l r
shf    bits          wrap clamp
`

// rounding lists the rounding modifiers of a floating-point result,
// integerRounding those of an integer result (PTX 9.7.9, cvt).
const (
	rounding        = "rn rz rm rp rna rs"
	integerRounding = "rni rzi rmi rpi"
)

// typed is one line of typeTable or choiceTable.
type typed struct {
	mods    []string
	types   map[string]bool
	choices []string
}

var (
	opTypes   = readTyped(typeTable, false)
	opChoices = readTyped(choiceTable, true)
)

func readTyped(table string, choices bool) map[string][]typed {
	all := map[string][]typed{}
	for _, line := range strings.Split(table, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		name, types, rest := strings.Split(fields[0], "."), fields[1:], []string(nil)
		if choices {
			types, rest = strings.Split(fields[1], ","), fields[2:]
		}
		t := typed{mods: name[1:], types: map[string]bool{}, choices: rest}
		for _, n := range types {
			for _, one := range append(typeGroups[n], n) {
				t.types[one] = true
			}
		}
		all[name[0]] = append(all[name[0]], t)
	}
	return all
}

// opcode checks that an instruction exists, has its type and carries the
// modifiers that it cannot do without.
func (v *verifier) opcode(in *Instr) {
	if !opcodes[in.Op] {
		v.on(in, RuleOpcode, "PTX has no instruction %q; look for a slip in its name", in.Op)
		return
	}
	types := typesOf(in)
	if in.Op == "cvt" && len(types) == 2 {
		v.rounding(in, types[0], types[1])
	}
	if len(types) != 1 {
		return
	}
	for _, t := range opTypes[in.Op] {
		if !carries(in.Mods, t.mods) {
			continue
		}
		if !t.types[string(types[0])] {
			v.on(in, RuleOpcode, "there is no %s for .%s%s", in.Op, types[0], sameSize(t.types, types[0]))
		}
		break
	}
	for _, t := range opChoices[in.Op] {
		if t.types[string(types[0])] && !carriesAny(in, t.choices) {
			v.on(in, RuleOpcode, "one of .%s is missing", strings.Join(t.choices, ", ."))
		}
	}
}

// sameSize advises a type of the same size.
func sameSize(types map[string]bool, t Type) string {
	for _, prefix := range []string{"b", "u", "s", "f"} {
		for name := range types {
			if strings.HasPrefix(name, prefix) && Type(name).class() != alternate && Type(name).Bytes() == t.Bytes() && t.Bytes() > 0 {
				return "; write ." + name
			}
		}
	}
	return ""
}

func carriesAny(in *Instr, mods []string) bool {
	for _, m := range mods {
		if in.Has(m) {
			return true
		}
	}
	return false
}

// rounding checks that a conversion which loses bits says how.
func (v *verifier) rounding(in *Instr, d, s Type) {
	var want string
	switch fd, fs := isFloat(d), isFloat(s); {
	case fd && s.class() == integer, fd && fs && d.Bytes() < s.Bytes():
		want = rounding
	case d.class() == integer && fs:
		want = integerRounding
	}
	if want != "" && !carriesAny(in, strings.Fields(want)) {
		v.on(in, RuleOpcode, "from .%s to .%s needs a rounding; write cvt.%s.%s.%s", s, d, strings.Fields(want)[0], d, s)
	}
}

// isFloat reports whether t is a scalar floating-point format.
func isFloat(t Type) bool { return t.class() == float && t != "f16x2" || t == "bf16" }
