package formtest

import (
	"slices"
	"strings"
)

// section is a table of the page: lines of the emulator's table with what PTX
// ISA 9.0 says about them.
type section struct {
	title, isa string
	has        func(op string, mods string) bool
}

// of is a section of whole opcodes.
func of(title, isa, ops string) section {
	list := strings.Fields(ops)
	return section{title, isa, func(op, _ string) bool { return slices.Contains(list, op) }}
}

// sections are the page's tables. The first that has a line takes it.
var sections = []section{
	of("Memory", "9.7.9", "ld ldu st cvta isspacep prefetch prefetchu applypriority discard createpolicy"),
	of("Atomics and reductions", "9.7.13", "atom red"),
	of("Barriers, fences and mbarriers", "9.7.13", "bar barrier fence membar mbarrier"),
	of("Exchanges in a warp", "9.7.9 and 9.7.13", "shfl vote match redux elect activemask"),
	of("Clusters", "9.7.9", "mapa getctarank"),
	of("Asynchronous copies and tensor maps", "9.7.9", "cp tensormap"),
	of("Matrix products of a warp", "9.7.14", "ldmatrix stmatrix movmatrix mma wmma"),
	of("Matrix products of a warpgroup", "9.7.15", "wgmma"),
	of("Control", "9.7.12", "bra brx call ret exit"),
	of("Execution", "9.7.19 and others", "trap brkpt nanosleep griddepcontrol pmevent setmaxnreg"),
	of("Conversion", "9.7.9", "cvt"),
	of("Comparison and selection", "9.7.6 and 9.7.7", "setp set selp slct"),
	of("Logic, shifts and moves", "9.7.8 and 9.7.9", "and or xor not cnot lop3 shf shl shr mov prmt"),
	of("Video", "9.7.17", "vabsdiff2 vabsdiff4"),
	{"Extended precision", "9.7.2", func(op, mods string) bool {
		return slices.Contains([]string{"addc", "subc", "madc"}, op) || slices.Contains(strings.Fields(mods), "cc")
	}},
	{"Half precision", "9.7.4", func(_, mods string) bool { return strings.Contains(mods, "f16") }},
	{"Floating point", "9.7.3", func(_, mods string) bool {
		return strings.HasSuffix(mods, "f32") || strings.HasSuffix(mods, "f64")
	}},
	{"Integers and bits", "9.7.1", func(string, string) bool { return true }},
}

// shorthand is alternatives that many lines have, under the name that the manual
// gives them.
type shorthand struct{ name, words string }

var shorthands = []shorthand{
	{"type", "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"},
	{"itype", "u8|s8|u16|s16|u32|s32|u64|s64"},
	{"ftype", "f16|bf16|f32|f64"},
	{"rnd", "rn|rz|rm|rp"},
	{"irnd", "rni|rzi|rmi|rpi"},
	{"cmp", "eq|ne|lt|le|gt|ge"},
	{"fcmp", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
	{"bool", "and|or|xor"},
	{"space", "global|shared|shared::cta|shared::cluster|local|param|param::func|param::entry|const"},
	{"wspace", "global|shared|shared::cta|shared::cluster|local|param|param::func"},
	{"mspace", "global|shared|shared::cta|shared::cluster"},
	{"aspace", "global|local|shared|shared::cta|shared::cluster|const|param|param::entry"},
	{"sem", "relaxed|acquire|release|acq_rel"},
	{"scope", "cta|cluster|gpu|sys"},
	{"eviction", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
	{"priority", "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged"},
	{"prefetch", "L2::64B|L2::128B|L2::256B"},
	{"dim", "1d|2d|3d|4d|5d"},
	{"op", "add|min|max|inc|dec|and|or|xor"},
	{"shape", "m16n16k16|m32n8k16|m8n32k16"},
}

// shown is a line of the emulator's table as the manual would write it, but
// that alternatives without a name have a stroke between them:
// add{.rnd}{.ftz}{.sat}.f32, and.b32/.b64. A long one has spaces, where a narrow
// page breaks it.
func shown(line string) string {
	op, mods, _ := strings.Cut(line, " ")
	words, length := []string{op}, len(op)
	for word := range strings.FieldsSeq(mods) {
		list, optional := strings.CutPrefix(word, "?")
		text := "." + strings.ReplaceAll(list, "|", "/.")
		if len(text) > 24 {
			text = strings.ReplaceAll(text, "/", " / ")
		}
		for _, c := range shorthands {
			if c.words == list {
				text = "." + c.name
			}
		}
		if optional {
			text = "{" + text + "}"
		}
		words = append(words, text)
		length += len(text)
	}
	if length > 30 {
		return strings.Join(words, " ")
	}
	return strings.Join(words, "")
}

// absent is what PTX has for sm_90a or for any target and the emulator has
// not. What it does not know it refuses when a module is loaded.
var absent = []struct{ what, why string }{
	{"`multimem.*`", "the emulator is one GPU"},
	{"`tex`, `tld4`, `txq`, `suld`, `sust`, `sured`, `suq`, `istypep`", "it has no texture unit"},
	{"`cp.async.bulk.tensor` and its kin with `.im2col`; tensor maps with interleave", "no lesson uses them"},
	{"`mma.sync` of shapes m8n8k4, m8n8k16 and m8n8k32, of 4-bit and 1-bit integers and of f64; `mma.sp`; `wgmma.mma_async.sp`; integers with `.satfinite`", "no lesson uses them"},
	{"`wgmma.mma_async` of 1-bit integers (`.b1`)", "no lesson uses it"},
	{"`atom` and `red` of 128 bits; `ld` and `st` with `.v8`", "no lesson uses them; `.v8` is not for sm_90a"},
	{"`alloca`, `stacksave`, `stackrestore`", "its threads have no stack"},
	{"`vadd`, `vsub`, `vmin`, `vmax`, `vshl`, `vshr`, `vmad`, `vset` and their packed forms; `vavrg`", "compilers for Hopper do not make them"},
	{"`tcgen05.*`, `clusterlaunchcontrol.*`, `redux.sync` of f32, packed `.f32x2`, conversions to 6 and 4 bits", "instructions of Blackwell"},
}
