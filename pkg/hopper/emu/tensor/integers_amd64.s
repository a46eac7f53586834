#include "textflag.h"

// func multiplyIntegersAVX2(d, a *Column, b *float32, n, k, stepN, stepK int)
//
// Y0-Y7 hold 4 columns of D, two registers of 8 rows each. For each k the 16
// rows of A's column are in Y8 and Y9, and one element of each of B's 4 rows
// is spread over Y10 in turn.
TEXT ·multiplyIntegersAVX2(SB), NOSPLIT, $0-56
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), R8
	MOVQ n+24(FP), CX
	MOVQ k+32(FP), DX
	MOVQ stepN+40(FP), R12
	MOVQ stepK+48(FP), R13
	SHLQ $2, R12 // in bytes
	SHRQ $2, CX  // groups of 4 columns

columns:
	LEAQ (R8)(R12*1), R9
	LEAQ (R9)(R12*1), R10
	LEAQ (R10)(R12*1), R11
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	VMOVUPS 128(DI), Y4
	VMOVUPS 160(DI), Y5
	VMOVUPS 192(DI), Y6
	VMOVUPS 224(DI), Y7
	MOVQ SI, BX
	MOVQ DX, R14
	XORQ AX, AX

products:
	VMOVUPS (BX), Y8
	VMOVUPS 32(BX), Y9
	VBROADCASTSS (R8)(AX*4), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y0, Y0
	VADDPS Y12, Y1, Y1
	VBROADCASTSS (R9)(AX*4), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y2, Y2
	VADDPS Y12, Y3, Y3
	VBROADCASTSS (R10)(AX*4), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y4, Y4
	VADDPS Y12, Y5, Y5
	VBROADCASTSS (R11)(AX*4), Y10
	VMULPS Y8, Y10, Y11
	VMULPS Y9, Y10, Y12
	VADDPS Y11, Y6, Y6
	VADDPS Y12, Y7, Y7
	ADDQ $64, BX
	ADDQ R13, AX
	DECQ R14
	JNZ  products

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VMOVUPS Y6, 192(DI)
	VMOVUPS Y7, 224(DI)
	ADDQ $256, DI
	LEAQ (R11)(R12*1), R8
	DECQ CX
	JNZ  columns
	VZEROUPPER
	RET
