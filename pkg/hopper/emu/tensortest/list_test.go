package tensortest

// What the tensor core of Hopper is believed to do, for each kind of
// instruction.
var (
	wide   = model{cut: 25, keep: 23}
	half   = model{cut: 25, keep: 10, nearest: true}
	fp8    = model{cut: 13, keep: 13}
	fp8f16 = model{cut: 13, keep: 10, nearest: true}
	// mma.sync converts 8-bit floats to f16 and multiplies twice.
	widened = model{cut: 25, keep: 23, pairs: true}
)

// instructions is all forms that are probed.
func instructions() []instruction {
	list := []instruction{
		{true, 8, 16, f32, f16, f16, wide, shared},
		{true, 256, 16, f32, f16, f16, wide, shared},
		{true, 8, 16, f16, f16, f16, half, shared},
		{true, 8, 16, f32, bf16, bf16, wide, shared},
		{true, 8, 8, f32, tf32, tf32, wide, shared},
		{false, 8, 16, f32, f16, f16, wide, shared},
		{false, 8, 8, f32, f16, f16, wide, shared},
		{false, 8, 16, f16, f16, f16, half, shared},
		{false, 8, 8, f16, f16, f16, half, shared},
		{false, 8, 16, f32, bf16, bf16, wide, shared},
		{false, 8, 8, f32, bf16, bf16, wide, shared},
		{false, 8, 8, f32, tf32, tf32, wide, shared},
		{false, 8, 4, f32, tf32, tf32, wide, shared},
	}
	for _, a := range []format{e4m3, e5m2} {
		for _, b := range []format{e4m3, e5m2} {
			list = append(list,
				instruction{true, 8, 32, f32, a, b, fp8, shared},
				instruction{true, 8, 32, f16, a, b, fp8f16, shared},
				instruction{false, 8, 32, f32, a, b, widened, shared})
		}
	}
	list = append(list, instruction{true, 256, 32, f32, e4m3, e4m3, fp8, shared})
	list = append(list,
		instruction{true, 64, 16, f32, f16, f16, wide, registers},
		instruction{true, 32, 16, f16, f16, f16, half, registers},
		instruction{true, 104, 8, f32, tf32, tf32, wide, registers},
		instruction{true, 96, 32, f32, e5m2, e4m3, fp8, registers},
		instruction{true, 24, 16, f32, bf16, bf16, wide, negated},
		instruction{true, 16, 32, f32, e4m3, e5m2, fp8, negated})
	return list
}
