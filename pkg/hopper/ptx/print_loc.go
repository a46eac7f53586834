package ptx

// inlinedSection declares the function name that ".loc … inlined_at" has to
// give. The parser drops the real names with the debug sections.
const inlinedSection = `.section .debug_str
{
$L__inlined:
	.b8 0
}
`

// loc writes where the following instructions come from, if that changes.
func (w *writer) loc(s Source) {
	if !w.lines || sameSource(&s, &w.src) {
		return
	}
	w.src = s
	if (s == Source{}) { // line 0 says that the source is unknown
		file := 1
		if len(w.files) > 0 {
			file = w.files[0].Index
		}
		w.line(".loc %d 0 0", file)
		return
	}
	w.location(&s)
}

// location writes the .loc of s, and before it those of the calls that s was
// inlined at, because "inlined_at" refers to an earlier .loc.
func (w *writer) location(s *Source) {
	at := s.InlinedAt
	if at == nil {
		w.line(".loc %d %d %d", s.File, s.Line, s.Col)
		return
	}
	w.location(at)
	w.inlined = true
	w.line(".loc %d %d %d, function_name $L__inlined, inlined_at %d %d %d", s.File, s.Line, s.Col, at.File, at.Line, at.Col)
}

func sameSource(a, b *Source) bool {
	for a != nil && b != nil {
		if a.File != b.File || a.Line != b.Line || a.Col != b.Col {
			return false
		}
		a, b = a.InlinedAt, b.InlinedAt
	}
	return a == nil && b == nil
}
