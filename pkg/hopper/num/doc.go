// Package num has the number formats of Hopper's tensor cores, f16, bf16,
// e4m3 and e5m2, the scale format e8m0 and the rounding to tf32, with their
// conversions to and from Go's float32 and float64.
//
//	format  bits  exponent  fraction  largest      least normal  least subnormal
//	f16     16    5         10        65504        2^-14         2^-24
//	bf16    16    8         7         3.3895e38    2^-126        2^-133
//	e4m3    8     4         3         448          2^-6          2^-9
//	e5m2    8     5         2         57344        2^-14         2^-16
//	e8m0    8     8         0         2^127        2^-127        none
//
// All of them but e8m0 have subnormals, and none is ever flushed. e4m3 has no
// infinity and one NaN (two codes, one for each sign).
//
// Every conversion to a narrow format rounds once, to the nearest value with
// ties to the even code, unless its name says otherwise. A conversion from
// float64 is not made through float32, which would round twice. A NaN becomes
// the format's canonical NaN, 0x7FFF or 0x7F, whatever its sign and payload,
// as PTX cvt does (PTX ISA 9.7.9.21).
//
// The package does arithmetic on codes and nothing else: it must not know
// matrices, kernels or machines.
package num
