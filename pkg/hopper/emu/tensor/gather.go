package tensor

// GatherLeft widens an A operand from shared memory into its strips, strip s
// at a[s*K:(s+1)*K]. Chunks are those of o.Chunks, inside memory; rows are a
// multiple of 16.
func (o Operand) GatherLeft(a []Column, memory []byte, chunks []uint32) {
	var widened [64 * 32]float32 // the most that A has
	flat := widened[:o.Rows*o.K()]
	o.Type.widenChunks(flat, memory, chunks)
	k := o.K()
	if o.MNMajor {
		for i := range k {
			for s := range o.Rows / StripRows {
				copy(a[s*k+i][:], flat[i*o.Rows+s*StripRows:])
			}
		}
		return
	}
	for row := range o.Rows {
		strip, r := a[row/StripRows*k:][:k], row%StripRows
		for i, x := range flat[row*k:][:k] {
			strip[i][r] = x
		}
	}
}

// GatherRight widens a B operand from shared memory into buffer, which has
// room for Rows*K elements. Chunks are those of o.Chunks, inside memory.
func (o Operand) GatherRight(buffer []float32, memory []byte, chunks []uint32) Right {
	o.Type.widenChunks(buffer, memory, chunks)
	if o.MNMajor {
		return Right{buffer, 1, o.Rows}
	}
	return Right{buffer, o.K(), 1}
}
