#include "textflag.h"

DATA sumConstants<>+0(SB)/4, $100        // fastHighest
DATA sumConstants<>+4(SB)/4, $-96        // fastLowest
DATA sumConstants<>+8(SB)/4, $-1000      // nothing
DATA sumConstants<>+12(SB)/4, $-4096     // zeroExponent
DATA sumConstants<>+16(SB)/4, $127
DATA sumConstants<>+20(SB)/4, $0x7f000000 // the bits of 2^127 = 2^e · 2^(127-e), twice the bias
DATA sumConstants<>+24(SB)/4, $0x80000000
GLOBL sumConstants<>(SB), RODATA|NOPTR, $28

// TOP takes the exponents of a column of D into account, where top has the
// largest of the products, 16 bits for each row. They go to at(SP), no less
// than lowest; Y15 gets bits where one is not for the fast code. An
// infinity or NaN needs no care: its exponent is too large.
//
// Y9 has fastLowest, Y10 zeroExponent, Y11 nothing, Y12 zeros, Y13 127 and D's
// smallest exponent, Y14 127; all but Y12 in 16 bits.
#define TOP(column, top, at) \
	VMOVUPS column(DI), Y4      \
	VMOVUPS (column+32)(DI), Y5 \
	VPSLLD $1, Y4, Y4           \
	VPSLLD $1, Y5, Y5           \
	VPCMPEQD Y12, Y4, Y6        \
	VPCMPEQD Y12, Y5, Y7        \
	VPACKSSDW Y7, Y6, Y6        \ // zero
	VPSRLD $24, Y4, Y4          \
	VPSRLD $24, Y5, Y5          \
	VPACKSSDW Y5, Y4, Y4        \
	VPMAXSW Y13, Y4, Y4         \
	VPSUBW Y14, Y4, Y4          \
	VPBLENDVB Y6, Y10, Y4, Y4   \
	VPERMQ $0xd8, Y4, Y4        \ // the packing works in halves
	VPMAXSW Y4, top, top        \
	VPCMPGTW Y8, top, Y4        \ // top > fastHighest
	VPCMPGTW top, Y9, Y5        \ // fastLowest > top
	VPCMPGTW Y11, top, Y6       \ // top > nothing
	VPAND Y5, Y6, Y6            \
	VPOR Y4, Y15, Y15           \
	VPOR Y6, Y15, Y15           \
	VPMAXSW 32(CX), top, top    \
	VMOVDQU top, at(SP)

// SCALE makes of 8 exponents at at(SP) the powers of two that turn addends into
// numbers of units.
#define SCALE(at, scale) \
	VPMOVSXWD at(SP), scale   \
	VPSUBD scale, Y15, scale  \
	VPSLLD $23, scale, scale

// PRODUCTS adds 16 rows times the element of B at b to two sums.
#define PRODUCTS(b, lo, hi, scaleLo, scaleHi) \
	VBROADCASTSS b, Y10      \
	VMULPS Y8, Y10, Y11      \
	VMULPS Y9, Y10, Y12      \
	VMULPS scaleLo, Y11, Y11 \
	VMULPS scaleHi, Y12, Y12 \
	VCVTTPS2DQ Y11, Y11      \
	VCVTTPS2DQ Y12, Y12      \
	VPADDD Y11, lo, lo       \
	VPADDD Y12, hi, hi

// FINISH adds the accumulator's share to 8 sums and makes float32 of them. An
// int32 has up to 31 bits, and float32 rounds to 24: without the upper half of
// what it drops it rounds toward zero. (m>>24 has as many bits as are dropped,
// and its leading one is the half.) Y12 has the bits that the result keeps,
// Y13 the bits of 2^127, Y14 the sign bit; Y15 gets sign bits where a sum
// exceeds int32.
#define FINISH(column, sum, scale) \
	VMULPS column(DI), scale, Y8 \
	VCVTTPS2DQ Y8, Y8         \
	VPADDD Y8, sum, Y9        \
	VPXOR sum, Y9, Y10        \
	VPXOR Y8, Y9, Y8          \
	VPAND Y10, Y8, Y8         \
	VPOR Y8, Y15, Y15         \
	VPABSD Y9, Y8             \
	VPSRLD $24, Y8, Y10       \
	VPANDN Y8, Y10, Y10       \
	VCVTDQ2PS Y10, Y10        \
	VCVTTPS2DQ Y10, Y11       \
	VPCMPEQD Y8, Y11, Y11     \ // nothing was dropped
	VPANDN (CX), Y11, Y11     \ // odd, where something was
	VPOR Y11, Y10, Y10        \
	VPAND Y12, Y10, Y10       \
	VPSUBD scale, Y13, Y11    \
	VMULPS Y11, Y10, Y10      \
	VPAND Y14, Y9, Y9         \
	VPOR Y9, Y10, sum

// PAIR makes two columns of D, unless a sum is too large: then AX is not zero.
#define PAIR(loop, skip, column, at) \
	VPBROADCASTD 68(CX), Y15 \
	SCALE(at, Y4)            \
	SCALE((at+16), Y5)       \
	SCALE((at+32), Y6)       \
	SCALE((at+48), Y7)       \
	VPXOR Y0, Y0, Y0         \
	VPXOR Y1, Y1, Y1         \
	VPXOR Y2, Y2, Y2         \
	VPXOR Y3, Y3, Y3         \
	MOVQ SI, BX              \
	MOVQ DX, R14             \
	XORL AX, AX              \
loop:                        \
	VMOVUPS (BX), Y8         \
	VMOVUPS 32(BX), Y9       \
	PRODUCTS((R8)(AX*1), Y0, Y1, Y4, Y5) \
	PRODUCTS((R9)(AX*1), Y2, Y3, Y6, Y7) \
	ADDQ $64, BX             \
	ADDQ R13, AX             \
	DECQ R14                 \
	JNZ loop                 \
	VPBROADCASTD 64(CX), Y12 \
	VPBROADCASTD sumConstants<>+20(SB), Y13 \
	VPBROADCASTD sumConstants<>+24(SB), Y14 \
	VPXOR Y15, Y15, Y15      \
	FINISH(column, Y0, Y4)   \
	FINISH((column+32), Y1, Y5) \
	FINISH((column+64), Y2, Y6) \
	FINISH((column+96), Y3, Y7) \
	VMOVMSKPS Y15, AX        \
	TESTL AX, AX             \
	JNE skip                 \
	VMOVUPS Y0, column(DI)   \
	VMOVUPS Y1, (column+32)(DI) \
	VMOVUPS Y2, (column+64)(DI) \
	VMOVUPS Y3, (column+96)(DI) \
skip:

// func sumAVX2(d, a *Column, ea *exponents, b *float32, eb *uint32, k, stepN, stepK int, q *constants) (slow int)
//
// First the largest exponents of 4 columns, 16 rows to a register, in Y0-Y3.
// Then two columns at a time, their sums in Y0-Y3 and the scales in Y4-Y7.
TEXT ·sumAVX2(SB), NOSPLIT, $128-80
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ ea+16(FP), R14
	MOVQ eb+32(FP), R8
	MOVQ k+40(FP), DX
	MOVQ stepN+48(FP), R12
	MOVQ stepK+56(FP), R13
	MOVQ q+64(FP), CX
	SHLQ $2, R12 // in bytes
	SHLQ $2, R13
	LEAQ (R8)(R12*1), R9
	LEAQ (R9)(R12*1), R10
	LEAQ (R10)(R12*1), R11
	VPBROADCASTW sumConstants<>+12(SB), Y10
	VPADDW Y10, Y10, Y0
	VMOVDQA Y0, Y1
	VMOVDQA Y0, Y2
	VMOVDQA Y0, Y3
	XORL AX, AX
	MOVQ DX, BX

exponents:
	VMOVDQU (R14), Y4
	VPBROADCASTD (R8)(AX*1), Y5
	VPBROADCASTD (R9)(AX*1), Y6
	VPBROADCASTD (R10)(AX*1), Y7
	VPBROADCASTD (R11)(AX*1), Y8
	VPADDW Y4, Y5, Y5
	VPADDW Y4, Y6, Y6
	VPADDW Y4, Y7, Y7
	VPADDW Y4, Y8, Y8
	VPMAXSW Y5, Y0, Y0
	VPMAXSW Y6, Y1, Y1
	VPMAXSW Y7, Y2, Y2
	VPMAXSW Y8, Y3, Y3
	ADDQ $32, R14
	ADDQ R13, AX
	DECQ BX
	JNZ  exponents

	VPBROADCASTW sumConstants<>+0(SB), Y8
	VPBROADCASTW sumConstants<>+4(SB), Y9
	VPBROADCASTW sumConstants<>+8(SB), Y11
	VPXOR Y12, Y12, Y12
	VPBROADCASTW 72(CX), Y13
	VPBROADCASTW sumConstants<>+16(SB), Y14
	VPXOR Y15, Y15, Y15
	TOP(0, Y0, 0)
	TOP(64, Y1, 32)
	TOP(128, Y2, 64)
	TOP(192, Y3, 96)
	MOVQ $3, slow+72(FP)
	VPTEST Y15, Y15
	JNZ  done

	MOVQ b+24(FP), R8
	LEAQ (R8)(R12*1), R9
	LEAQ (R9)(R12*1), R10
	PAIR(first, second, 0, 0)
	SETNE AX
	MOVBQZX AX, R11
	MOVQ R10, R8
	LEAQ (R8)(R12*1), R9
	PAIR(third, fourth, 128, 64)
	SETNE AX
	MOVBQZX AX, AX
	LEAQ (R11)(AX*2), R11
	MOVQ R11, slow+72(FP)

done:
	VZEROUPPER
	RET
