package ptx

const (
	// maxExtent is the largest array extent and array size taken, in elements.
	maxExtent = 1 << 40
	// maxNested bounds initialisers with nested braces, whose short rows are
	// filled with zeros.
	maxNested = 1 << 20
)

// initialiser parses what follows "=" into v.Init, flattened in row order.
// Rows that are written short are filled with zeros where something follows
// them, and a missing first extent is counted (PTX 5.4.4).
func (p *parser) initialiser(v *Var) {
	if !p.is("{") {
		v.Init = []Operand{p.initValue()}
		return
	}
	extents := v.Dims
	if v.Vector > 0 {
		extents = append(append([]int(nil), extents...), v.Vector)
	}
	open := p.tok()
	v.Init = p.initRow(nil, extents)
	if len(v.Dims) > 0 && v.Dims[0] == 0 {
		row := extent(extents[1:])
		v.Dims[0] = (len(v.Init) + row - 1) / row
	} else if len(v.Init) > extent(extents) {
		p.fail(open.pos, "the initialiser of %s has %d values for %d elements", v.Name, len(v.Init), extent(extents))
	}
}

// initRow parses one brace level into list.
func (p *parser) initRow(list []Operand, extents []int) []Operand {
	if !p.enter() {
		return list
	}
	defer p.leave()
	p.expect("{", "before the values")
	for !p.is("}") && !p.atEnd() {
		if p.is("{") {
			if len(extents) < 2 {
				p.expected("a value: the braces are nested deeper than the array has dimensions")
				return list
			}
			row := extent(extents[1:])
			if row > maxNested || len(list) > maxNested {
				p.fail(p.tok().pos, "initialisers with nested braces hold at most %d values; write the values in one level of braces", maxNested)
				return list
			}
			if len(list)%row != 0 {
				list = pad(list, row)
			}
			begin := len(list)
			list = p.initRow(list, extents[1:])
			if len(list)-begin > row {
				p.fail(p.tok().pos, "this row has %d values for %d elements", len(list)-begin, row)
				return list
			}
			if p.is(",") && p.peek().text != "}" {
				list = pad(list, row)
			}
		} else {
			list = append(list, p.initValue())
		}
		if !p.is("}") {
			p.expect(",", `or "}" after a value`)
		}
	}
	p.expect("}", "after the values")
	return list
}

// pad fills the last row with zeros.
func pad(list []Operand, row int) []Operand {
	for len(list)%row != 0 {
		list = append(list, Int{})
	}
	return list
}

// extent is the number of elements of an array, at least 1 and at most
// maxExtent.
func extent(dims []int) int {
	n := 1
	for _, d := range dims {
		if d > maxExtent/n {
			return maxExtent
		}
		n *= max(d, 1)
	}
	return n
}

// initValue parses one value: a constant, an address "name+4" or
// "generic(name)", or one byte of an address, "0xFF00(name)".
func (p *parser) initValue() Operand {
	t := p.tok()
	if t.kind == number && p.peek().text == "(" {
		mask, ok := decodeInt(t.text)
		if !ok {
			p.expected("a mask such as 0xFF00")
			return nil
		}
		p.next()
		p.next()
		s := p.address()
		s.Mask = uint64(mask.Value)
		p.expect(")", "after the masked address")
		return s
	}
	if t.kind == word && t.text != "WARP_SZ" {
		return p.address()
	}
	return p.constant()
}

// address parses "name", "name+4", "generic(name)" or "generic(name)+4".
func (p *parser) address() Sym {
	var s Sym
	if p.is("generic") && p.peek().text == "(" {
		p.next()
		p.next()
		s = Sym{Name: p.name("a variable or function"), Generic: true}
		s.Offset = p.offset()
		p.expect(")", "after the generic address")
	} else {
		s.Name = p.name("a value")
	}
	s.Offset += p.offset()
	return s
}
