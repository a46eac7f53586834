package ptx

// typeBytes is the size of every fundamental and packed type that a register
// or variable can have (PTX 5.2). Opaque types and predicates have size 0.
var typeBytes = map[Type]int{
	"pred": 0, "texref": 0, "samplerref": 0, "surfref": 0,
	"b8": 1, "u8": 1, "s8": 1, "e4m3": 1, "e5m2": 1, "ue8m0": 1,
	"b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2, "e4m3x2": 2, "e5m2x2": 2, "ue8m0x2": 2,
	"b32": 4, "u32": 4, "s32": 4, "f32": 4, "tf32": 4, "f16x2": 4, "bf16x2": 4, "u16x2": 4, "s16x2": 4,
	"b64": 8, "u64": 8, "s64": 8, "f64": 8, "f32x2": 8,
	"b128": 16, "u128": 16, "s128": 16,
}

// Bytes is the size of a value of this type: 1 to 16, or 0 for a predicate,
// an opaque type and a name that is no type.
func (t Type) Bytes() int { return typeBytes[t] }

// known reports whether t is a type.
func (t Type) known() bool {
	_, ok := typeBytes[t]
	return ok
}

// class groups types by how PTX 9.4 mixes them.
type class uint8

const (
	noClass   class = iota // opaque types, vectors, unknown names
	bits                   // .bN: goes with everything of its size
	integer                // .uN and .sN: with each other and .bN
	float                  // .f16 to .f64 and .f16x2: with itself and .bN
	alternate              // other formats and packed types: kept in .bN registers
	predicate
)

func (t Type) class() class {
	switch t {
	case "pred":
		return predicate
	case "f16", "f32", "f64", "f16x2":
		return float
	}
	switch n := t.Bytes(); {
	case n == 0:
		return noClass
	case t[len(t)-2] == 'x', t == "bf16", t == "tf32", t[0] == 'e':
		return alternate
	case t[0] == 'b':
		return bits
	}
	return integer
}

// holds reports whether a register of type t can stand where an instruction
// wants the type want; wider says that a larger register will do, as in ld, st
// and cvt (PTX 9.4.1).
func (t Type) holds(want Type, wider bool) bool {
	have, need := t.class(), want.class()
	size, least := t.Bytes(), want.Bytes()
	if size < least || size > least && (!wider || have == float && need == float) {
		return false
	}
	switch have {
	case bits:
		return need != predicate && need != noClass
	case integer:
		return need == integer || need == bits
	case float:
		return need == bits || t == want
	}
	return t == want
}
