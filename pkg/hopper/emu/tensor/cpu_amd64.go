package tensor

// cpuid and xgetbv are the instructions of those names.
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)
func xgetbv() (eax, edx uint32)

// haveAVX2 says that the processor has AVX2 and the half-precision conversions
// and that the system saves their registers (Intel SDM volume 1, 14.3, 14.4
// and 14.7).
var haveAVX2 = detectAVX2()

func detectAVX2() bool {
	const (
		needed    = 1<<27 | 1<<28 | 1<<29 // OSXSAVE, AVX, F16C: leaf 1, ECX
		avx2      = 1 << 5                // leaf 7, EBX
		xmmAndYmm = 6                     // XCR0
	)
	if top, _, _, _ := cpuid(0, 0); top < 7 {
		return false
	}
	if _, _, ecx, _ := cpuid(1, 0); ecx&needed != needed {
		return false
	}
	if saved, _ := xgetbv(); saved&xmmAndYmm != xmmAndYmm {
		return false
	}
	_, ebx, _, _ := cpuid(7, 0)
	return ebx&avx2 != 0
}
