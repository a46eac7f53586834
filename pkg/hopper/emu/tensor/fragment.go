package tensor

// Register is a 32-bit register in the 32 lanes of a warp.
type Register = [32]uint32

// LoadLeft widens register q of a warp's A fragment into a strip (the layout
// of LeftAt). mma.sync and wgmma share it.
func (t Type) LoadLeft(a []Column, q int, reg *Register) {
	var v chunk
	per := t.PerChunk()
	to := a[q/2*per:][:per]
	for row := range 8 {
		t.widen(&v, word(reg, 4*row), word(reg, 4*row+2))
		r := row + q%2*8
		for i := range to {
			to[i][r] = v[i]
		}
	}
}

// LoadRight widens register q of a warp's B fragment (the layout of RightAt)
// into b, in which k steps by 1.
func (t Type) LoadRight(b Right, q int, reg *Register) {
	var v chunk
	per := t.PerChunk()
	for row := range 8 {
		t.widen(&v, word(reg, 4*row), word(reg, 4*row+2))
		copy(b.Elements[row*b.StepN+q*per:][:per], v[:per])
	}
}

func word(reg *Register, lane int) uint64 {
	return uint64(reg[lane]) | uint64(reg[lane+1])<<32
}
