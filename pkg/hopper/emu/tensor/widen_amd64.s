#include "textflag.h"

// func widenF16AVX2(to *float32, memory *byte, addresses *uint32, n int)
TEXT ·widenF16AVX2(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ memory+8(FP), SI
	MOVQ addresses+16(FP), R8
	MOVQ n+24(FP), CX

chunks:
	MOVL (R8), AX
	VCVTPH2PS (SI)(AX*1), Y0
	VMOVUPS Y0, (DI)
	ADDQ $4, R8
	ADDQ $32, DI
	DECQ CX
	JNZ  chunks
	VZEROUPPER
	RET

// func widenBF16AVX2(to *float32, memory *byte, addresses *uint32, n int)
TEXT ·widenBF16AVX2(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ memory+8(FP), SI
	MOVQ addresses+16(FP), R8
	MOVQ n+24(FP), CX

chunks:
	MOVL (R8), AX
	VPMOVZXWD (SI)(AX*1), Y0
	VPSLLD $16, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $4, R8
	ADDQ $32, DI
	DECQ CX
	JNZ  chunks
	VZEROUPPER
	RET
