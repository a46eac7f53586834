#include "textflag.h"

// A register's lanes are a matrix of 8 rows by 4 columns, row by row; the
// strip has it column by column, a column every 128 bytes. Both ways are two
// transpositions of 4x4, one in each half of the registers.

DATA canonicalNaNs<>+0(SB)/4, $0x7fffffff
GLOBL canonicalNaNs<>(SB), RODATA|NOPTR, $4

// func spreadAVX2(column *float32, reg *Register)
TEXT ·spreadAVX2(SB), NOSPLIT, $0-16
	MOVQ column+0(FP), DI
	MOVQ reg+8(FP), SI
	VMOVUPS (SI), X0
	VMOVUPS 16(SI), X1
	VMOVUPS 32(SI), X2
	VMOVUPS 48(SI), X3
	VINSERTF128 $1, 64(SI), Y0, Y0  // rows 0 and 4
	VINSERTF128 $1, 80(SI), Y1, Y1  // rows 1 and 5
	VINSERTF128 $1, 96(SI), Y2, Y2  // rows 2 and 6
	VINSERTF128 $1, 112(SI), Y3, Y3 // rows 3 and 7
	VUNPCKLPS Y1, Y0, Y4            // columns 0 and 1 of rows 0, 1
	VUNPCKHPS Y1, Y0, Y5            // columns 2 and 3
	VUNPCKLPS Y3, Y2, Y6
	VUNPCKHPS Y3, Y2, Y7
	VUNPCKLPD Y6, Y4, Y0
	VUNPCKHPD Y6, Y4, Y1
	VUNPCKLPD Y7, Y5, Y2
	VUNPCKHPD Y7, Y5, Y3
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 128(DI)
	VMOVUPS Y2, 256(DI)
	VMOVUPS Y3, 384(DI)
	VZEROUPPER
	RET

// func collectAVX2(reg *Register, column *float32)
TEXT ·collectAVX2(SB), NOSPLIT, $0-16
	MOVQ reg+0(FP), DI
	MOVQ column+8(FP), SI
	VBROADCASTSS canonicalNaNs<>(SB), Y8
	VMOVUPS (SI), Y0
	VMOVUPS 128(SI), Y1
	VMOVUPS 256(SI), Y2
	VMOVUPS 384(SI), Y3
	VCMPPS $3, Y0, Y0, Y4 // unordered: NaN
	VBLENDVPS Y4, Y8, Y0, Y0
	VCMPPS $3, Y1, Y1, Y5
	VBLENDVPS Y5, Y8, Y1, Y1
	VCMPPS $3, Y2, Y2, Y6
	VBLENDVPS Y6, Y8, Y2, Y2
	VCMPPS $3, Y3, Y3, Y7
	VBLENDVPS Y7, Y8, Y3, Y3
	VUNPCKLPS Y1, Y0, Y4 // rows 0, 1 of columns 0, 1, and rows 4, 5
	VUNPCKHPS Y1, Y0, Y5 // rows 2, 3, and 6, 7
	VUNPCKLPS Y3, Y2, Y6
	VUNPCKHPS Y3, Y2, Y7
	VUNPCKLPD Y6, Y4, Y0
	VUNPCKHPD Y6, Y4, Y1
	VUNPCKLPD Y7, Y5, Y2
	VUNPCKHPD Y7, Y5, Y3
	VMOVUPS X0, (DI)
	VMOVUPS X1, 16(DI)
	VMOVUPS X2, 32(DI)
	VMOVUPS X3, 48(DI)
	VEXTRACTF128 $1, Y0, 64(DI)
	VEXTRACTF128 $1, Y1, 80(DI)
	VEXTRACTF128 $1, Y2, 96(DI)
	VEXTRACTF128 $1, Y3, 112(DI)
	VZEROUPPER
	RET
