package ptx

import "fmt"

// Error is a mistake in PTX: Parse returns one, Verify all it finds. It prints
// as "line:col: message" for text that was parsed and as "file:line: message"
// for a module that was recorded, where only the source position is known.
type Error struct {
	Rule string // the rule of Verify that is broken; "" from Parse
	Pos  Pos    // in the PTX text; zero when the module was recorded
	File string // source file name of Src; "" when unknown
	Src  Source // where the instruction came from; zero when unknown
	Msg  string // what is wrong and what to write instead
}

func (e *Error) Error() string {
	switch {
	case e.Pos != Pos{}:
		return fmt.Sprintf("%v: %s", e.Pos, e.Msg)
	case e.File != "":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Src.Line, e.Msg)
	}
	return e.Msg
}
