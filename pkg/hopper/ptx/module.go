// Package ptx holds PTX as plain data, and prints, parses and verifies it.
//
// It is the one representation of this project: pkg/hopper records it, the
// driver and the emulator both read its text. The package must not know who
// records a module or who runs one: it imports nothing of this project, and
// its nodes carry no analysis results. A Module is not changed once it is
// built, so several readers may share it.
//
// Names and rules follow the PTX ISA, version 9.0; sections are cited as
// "PTX 9.7.15".
package ptx

import "fmt"

// Version is a PTX ISA version, as in ".version 8.6".
type Version struct{ Major, Minor int }

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Less reports whether v is older than o.
func (v Version) Less(o Version) bool {
	return v.Major < o.Major || v.Major == o.Major && v.Minor < o.Minor
}

// Module is one PTX translation unit. Debug sections (".section") are dropped
// by the parser: nothing here reads them.
type Module struct {
	Version     Version
	Target      []string // ".target sm_90a" and its options, in order
	AddressSize int      // 32 or 64; 0 where the text gives none
	Files       []File   // ".file" directives, which Source.File refers to
	Decls       []Decl   // variables and functions in source order
}

// File is one ".file INDEX "NAME"" directive.
type File struct {
	Index int
	Name  string
}

// Pos is a position in PTX text, both counted from 1. The zero Pos means that
// the node was recorded rather than parsed; Equal ignores positions.
type Pos struct{ Line, Col int }

func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// Source is the position in the source that a PTX instruction came from, as
// ".loc" gives it: a line of a lesson's Go or of a .cu file. File is an index
// into Module.Files by File.Index; the zero Source means unknown.
type Source struct {
	File, Line, Col int
	InlinedAt       *Source // the call that the compiler inlined, if it says so
}

// Decl is a module-scope declaration: *Var, *Func, *Alias or *Pragma.
type Decl interface{ isDecl() }

func (*Var) isDecl()    {}
func (*Func) isDecl()   {}
func (*Alias) isDecl()  {}
func (*Pragma) isDecl() {}

// Linkage is "", "extern", "visible", "weak" or "common".
type Linkage string

// Space is a state space without its dot: "reg", "global", "const", "shared",
// "local", "param" (PTX 5.1).
type Space string

// The state spaces a variable can be declared in.
const (
	Global Space = "global"
	Const  Space = "const"
	Shared Space = "shared"
	Local  Space = "local"
	Param  Space = "param"
)

// Type is a fundamental or packed type without its dot, such as "f16" or
// "b64" (PTX 5.2).
type Type string

// Var declares a variable of any space but "reg". Array extents are in Dims;
// a flexible array "name[]" has the single extent 0.
type Var struct {
	Linkage   Linkage
	Space     Space
	Align     int // bytes; 0 where the text gives none
	Vector    int // 2 for ".v2", 4 for ".v4", 0 for a scalar
	Type      Type
	PtrSpace  Space // parameters only: ".ptr .global"; "" where the text has no .ptr
	Ptr       bool  // parameters only: ".ptr" was given
	PtrAlign  int   // parameters only: the .align that follows .ptr
	Name      string
	Dims      []int
	Init      []Operand // initialiser, flattened; nil where there is none
	Attribute string    // ".attribute(.managed)" without the dots and parentheses
	Pos       Pos
}

// Func is a kernel (".entry") or a device function (".func"). Body is nil for
// a declaration.
type Func struct {
	Linkage    Linkage
	Entry      bool
	Name       string
	Returns    []*Var
	Params     []*Var
	Directives []Directive
	Body       *Block
	Pos        Pos
}

// Directive is a performance or launch directive of a function, such as
// ".maxntid 128, 1, 1" or ".explicitcluster" (PTX 11.4), or a function-scope
// ".pragma" (Text).
type Directive struct {
	Name   string // without the dot
	Values []int
	Text   string
	Pos    Pos
}

// Alias is ".alias Name, Target": a second name for a function (PTX 11.2).
type Alias struct {
	Name, Target string
	Pos          Pos
}
