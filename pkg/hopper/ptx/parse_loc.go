package ptx

// maxInlining bounds the chain of calls that a Source keeps.
const maxInlining = 16

// inlining is the full position that a ".loc" gave, and how many calls deep it
// was inlined.
type inlining struct {
	src   Source
	depth int
}

// loc parses ".loc file line column" and what follows it (PTX 11.5.4), and
// remembers it for the instructions to come. The position behind "inlined_at"
// refers to an earlier .loc, which says where that call was inlined in turn.
func (p *parser) loc() {
	p.next()
	s := p.location()
	place := s
	var depth int
	for p.accept(",") {
		switch t := p.next(); t.text {
		case "function_name":
			p.name("a label in a debug section")
			if p.accept("+") {
				p.number("an offset")
			}
		case "inlined_at":
			call := inlining{src: p.location()}
			if earlier, ok := p.locs[call.src]; ok && earlier.depth < maxInlining {
				call = earlier
			}
			s.InlinedAt = &call.src
			depth = call.depth + 1
		default:
			p.fail(t.pos, "found %s after a location, expected \"function_name\" or \"inlined_at\"", describe(t))
		}
	}
	if p.locs == nil {
		p.locs = map[Source]inlining{}
	}
	p.locs[place] = inlining{s, depth}
	p.src = s
	if s.Line == 0 { // line 0 says "no line" in debug information
		p.src = Source{}
	}
}

func (p *parser) location() Source {
	return Source{File: p.number("a file index"), Line: p.number("a line"), Col: p.number("a column")}
}
