#include "textflag.h"

DATA exponentConstants<>+0(SB)/4, $127
DATA exponentConstants<>+4(SB)/4, $255
DATA exponentConstants<>+8(SB)/4, $-4096 // zeroExponent
DATA exponentConstants<>+12(SB)/4, $8192 // specialExponent
GLOBL exponentConstants<>(SB), RODATA|NOPTR, $16

// CONSTANTS loads them; the smallest exponent is in AX.
#define CONSTANTS \
	VPXOR Y15, Y15, Y15                       \
	MOVQ AX, X14                              \
	VPBROADCASTD X14, Y14                     \
	VPBROADCASTD exponentConstants<>+0(SB), Y13 \
	VPBROADCASTD exponentConstants<>+4(SB), Y12 \
	VPBROADCASTD exponentConstants<>+8(SB), Y11 \
	VPBROADCASTD exponentConstants<>+12(SB), Y10

// EXPONENT makes the exponents of the 8 floats in x.
#define EXPONENT(x, zero, special) \
	VPSLLD $1, x, x                \
	VPCMPEQD Y15, x, zero          \
	VPSRLD $24, x, x               \
	VPCMPEQD Y12, x, special       \
	VPSUBD Y13, x, x               \
	VPMAXSD Y14, x, x              \
	VPBLENDVB zero, Y11, x, x      \
	VPBLENDVB special, Y10, x, x

// func exponentsLeftAVX2(to *exponents, from *Column, n int, smallest int32)
TEXT ·exponentsLeftAVX2(SB), NOSPLIT, $0-28
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	MOVL smallest+24(FP), AX
	CONSTANTS

columns:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
	EXPONENT(Y0, Y2, Y3)
	EXPONENT(Y1, Y4, Y5)
	VPACKSSDW Y1, Y0, Y0
	VPERMQ $0xd8, Y0, Y0 // the packing works in halves
	VMOVDQU Y0, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  columns
	VZEROUPPER
	RET

// func exponentsRightAVX2(to *uint32, from *float32, n int, smallest int32)
TEXT ·exponentsRightAVX2(SB), NOSPLIT, $0-28
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	MOVL smallest+24(FP), AX
	CONSTANTS

elements:
	VMOVUPS (SI), Y0
	EXPONENT(Y0, Y2, Y3)
	VPSLLD $16, Y0, Y1
	VPBLENDW $0x55, Y0, Y1, Y0 // lower halves from Y0, upper ones from Y1
	VMOVDQU Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  elements
	VZEROUPPER
	RET
