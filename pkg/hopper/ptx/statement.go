package ptx

// Stmt is a statement of a function body: *Instr, *Label, *Regs, *Var, *Block,
// *Pragma or *Targets.
type Stmt interface{ isStmt() }

func (*Instr) isStmt()   {}
func (*Label) isStmt()   {}
func (*Regs) isStmt()    {}
func (*Var) isStmt()     {}
func (*Block) isStmt()   {}
func (*Pragma) isStmt()  {}
func (*Targets) isStmt() {}

// Block is a brace-delimited list of statements. Registers, variables and
// labels declared in it are known only inside it.
type Block struct{ Stmts []Stmt }

// Regs declares registers: ".reg .b32 %r<8>" is Name "%r", Count 8 and stands
// for %r0 to %r7; ".reg .pred p" is Name "p", Count 0.
type Regs struct {
	Type   Type
	Vector int // 2 for ".v2", 4 for ".v4", 0 for a scalar
	Name   string
	Count  int
	Pos    Pos
}

// Label is a branch target.
type Label struct {
	Name string
	Pos  Pos
}

// Pragma is a ".pragma "text"" statement.
type Pragma struct {
	Text string
	Pos  Pos
}

// Targets is a labelled list for an indirect branch or call:
// "name: .branchtargets a, b;" or ".calltargets". A ".callprototype" keeps its
// text after the directive in Proto.
type Targets struct {
	Label string
	Kind  string // "branchtargets", "calltargets" or "callprototype"
	Names []string
	Proto string
	Pos   Pos
}

// Instr is one instruction. Op is the part of the opcode before the first
// dot, Mods are the parts after it, in order and without dots, so
// "mad.lo.s32" is Op "mad", Mods ["lo", "s32"].
type Instr struct {
	Guard *Guard // nil: unconditional
	Op    string
	Mods  []string
	Args  []Operand
	Pos   Pos    // in the PTX text
	Src   Source // in the source it came from
}

// Guard is the predicate before an instruction: "@p" or "@!p".
type Guard struct {
	Reg string
	Not bool
}

// Name is the whole opcode, "mad.lo.s32".
func (in *Instr) Name() string {
	n := in.Op
	for _, m := range in.Mods {
		n += "." + m
	}
	return n
}

// Has reports whether the opcode carries the modifier m.
func (in *Instr) Has(m string) bool {
	for _, x := range in.Mods {
		if x == m {
			return true
		}
	}
	return false
}

// Operand is an instruction's operand: Reg, Sym, Int, Float32, Float64, Not,
// Neg, Addr, Vec, Pair, Paren, Tensor or Sink.
type Operand interface{ isOperand() }

func (Reg) isOperand()     {}
func (Sym) isOperand()     {}
func (Int) isOperand()     {}
func (Float32) isOperand() {}
func (Float64) isOperand() {}
func (Not) isOperand()     {}
func (Neg) isOperand()     {}
func (Addr) isOperand()    {}
func (Vec) isOperand()     {}
func (Pair) isOperand()    {}
func (Paren) isOperand()   {}
func (Tensor) isOperand()  {}
func (Sink) isOperand()    {}

type (
	// Reg is a register, special ones included: "%r1", "%tid.x". The parser
	// makes every identifier that starts with "%" or names a declared
	// register a Reg; an element of a vector register keeps its suffix, as in
	// "%tid.x" or "v.y".
	Reg struct{ Name string }

	// Sym names a variable, label or function, plus a byte offset
	// ("table+4"). Generic and Mask occur in initialisers only: the generic
	// address of a variable ("generic(table)+4"), and one byte of an address,
	// chosen by a mask ("0xFF00(table)"); Mask 0 means none (PTX 5.4.4).
	Sym struct {
		Name    string
		Offset  int64
		Generic bool
		Mask    uint64
	}

	// Int is an integer constant. Unsigned ones print as "5U" where the value
	// needs it; Value holds the 64 bits.
	Int struct {
		Value    int64
		Unsigned bool
	}

	// Float32 prints as 0fXXXXXXXX.
	Float32 struct{ Bits uint32 }

	// Float64 prints as 0dXXXXXXXXXXXXXXXX; decimal constants of PTX are of
	// this kind.
	Float64 struct{ Bits uint64 }

	// Not is a negated predicate operand, "!p".
	Not struct{ X Operand }

	// Neg is a negated register operand, "-%r1".
	Neg struct{ X Operand }

	// Addr is a memory operand "[base+offset]"; Base is Reg, Sym or Int.
	Addr struct {
		Base   Operand
		Offset int64
	}

	// Vec is a brace-enclosed list "{a, b}".
	Vec struct{ Elems []Operand }

	// Pair is two destinations joined by a bar, "a|p".
	Pair struct{ A, B Operand }

	// Paren is a parenthesised list, as a call has for results and arguments.
	Paren struct{ Elems []Operand }

	// Tensor is a tensor-map operand "[map, {x, y}]"; Map is Reg or Sym.
	// Im2col offsets are an operand of their own.
	Tensor struct {
		Map    Operand
		Offset int64
		Coords []Operand
	}

	// Sink is the discarded destination "_".
	Sink struct{}
)
