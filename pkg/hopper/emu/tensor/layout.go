package tensor

// The functions here say which element a lane's register holds. Rows are
// those of the warp's own strip; in a warpgroup, warp w holds rows 16w to
// 16w+15 of A and D.

// AccumulatorAt is the element of D in 32-bit register reg of a lane, for
// float32 and int32 (PTX 9.7.15.5.1.1.2 and 9.7.14.5.8). A warp has N/2 such
// registers.
func AccumulatorAt(lane, reg int) (row, column int) {
	return lane/4 + reg/2%2*8, reg/4*8 + lane%4*2 + reg%2
}

// HalfAccumulatorAt is the same for float16: the register holds the element at
// row, column in its low half and the one at column+1 in its high half. A warp
// has N/4 such registers.
func HalfAccumulatorAt(lane, reg int) (row, column int) {
	return lane/4 + reg%2*8, reg/2*8 + lane%4*2
}

// LeftAt is the first element of A in register reg of a lane; the other
// elements of the register follow it along k (PTX 9.7.15.5.1.1.1 and
// 9.7.14.5).
func (t Type) LeftAt(lane, reg int) (row, k int) {
	perRegister := 4 / t.Bytes()
	return lane/4 + reg%2*8, (lane%4 + reg/2*4) * perRegister
}

// RightAt is the same for a B fragment of mma.sync; wgmma never takes B from
// registers.
func (t Type) RightAt(lane, reg int) (n, k int) {
	perRegister := 4 / t.Bytes()
	return lane / 4, (lane%4 + reg*4) * perRegister
}

// MatrixAt is the first of two 16-bit elements of an 8x8 matrix in a lane's
// register, the layout of ldmatrix, stmatrix and movmatrix; the other is at
// column+1. With .trans, row and column change places (PTX 9.7.14.5.15).
func MatrixAt(lane int) (row, column int) {
	return lane / 4, lane % 4 * 2
}
