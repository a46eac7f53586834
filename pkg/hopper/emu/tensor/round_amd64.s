#include "textflag.h"

// func roundF16AVX2(d *Column, n int)
//
// Adding zero makes a negative zero positive.
TEXT ·roundF16AVX2(SB), NOSPLIT, $0-16
	MOVQ d+0(FP), DI
	MOVQ n+8(FP), CX
	VXORPS Y2, Y2, Y2

columns:
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VCVTPS2PH $0, Y0, X0 // to nearest even
	VCVTPS2PH $0, Y1, X1
	VCVTPH2PS X0, Y0
	VCVTPH2PS X1, Y1
	VADDPS Y2, Y0, Y0
	VADDPS Y2, Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ $64, DI
	DECQ CX
	JNZ  columns
	VZEROUPPER
	RET
