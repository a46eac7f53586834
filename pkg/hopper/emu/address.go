package emu

import "gohopper/pkg/hopper/ptx"

// address is a compiled memory operand: a register of 32 or 64 bits, or
// neither, plus a constant.
type address struct {
	base   regKind // kind32, kind64; kindPred for a constant address
	row    int
	offset uint64
}

// address compiles the operand "[base+offset]".
func (c *compiler) address(o ptx.Operand) address {
	a, ok := o.(ptx.Addr)
	if !ok {
		c.failf("%s needs a memory operand in brackets", c.in.Name())
		return address{base: kindPred}
	}
	return c.pointer(a.Base, a.Offset)
}

// pointer compiles an address that stands without brackets of its own: the
// map of a tensor operand.
func (c *compiler) pointer(base ptx.Operand, offset int64) address {
	if r, ok := base.(ptx.Reg); ok {
		reg := c.source(r.Name)
		if reg.kind != kind32 && reg.kind != kind64 {
			c.failf("%s cannot hold an address", r.Name)
		}
		return address{reg.kind, reg.row, uint64(offset)}
	}
	v, ok := c.constant(base)
	if !ok {
		c.failf("an address of %s is neither a register nor a variable", c.in.Name())
	}
	return address{kindPred, 0, v + uint64(offset)}
}

// at is the address in a lane.
func (a address) at(w *warp, lane int) uint64 {
	switch a.base {
	case kind32:
		return uint64(w.r[a.row][lane] + uint32(a.offset))
	case kind64:
		return w.d[a.row][lane] + a.offset
	}
	return a.offset
}

// space is the state space that the opcode names, generic if none.
func (c *compiler) space() space {
	for _, m := range c.in.Mods {
		switch m {
		case "global":
			return spaceGlobal
		case "shared", "shared::cta", "shared::cluster":
			return spaceShared
		case "local":
			return spaceLocal
		case "const":
			return spaceConst
		case "param", "param::entry", "param::func":
			return spaceParam
		}
	}
	return spaceGeneric
}

// shared is the 32-bit shared address that an address of a space means, for
// instructions that take shared memory only; false if it is not shared memory.
func shared(s space, addr uint64) (uint32, bool) {
	if s == spaceGeneric {
		s, addr = split(addr)
	}
	return uint32(addr), s == spaceShared && addr>>32 == 0
}
