package inspect

import (
	"slices"
	"strings"
)

// Matter is one thing worth counting, with its form in PTX and in machine code.
type Matter struct {
	Name string
	ptx  []pattern // any of them
	sass []pattern
}

// pattern describes opcodes by words, separated by spaces: each word must be a
// part of the opcode between its dots, and one with ! in front must not be.
type pattern string

func (p pattern) matches(parts []string) bool {
	for word := range strings.FieldsSeq(string(p)) {
		unwanted, not := strings.CutPrefix(word, "!")
		if slices.Contains(parts, unwanted) == not {
			return false
		}
	}
	return true
}

// The matters that the verdicts speak of.
const (
	wgmma        = "wgmma"
	wgmmaFence   = "wgmma fence"
	wgmmaCommit  = "wgmma commit"
	wgmmaWait    = "wgmma wait"
	warpMMA      = "mma.sync"
	tmaLoad      = "TMA load"
	tmaMulticast = "TMA load, multicast"
	tmaStore     = "TMA store"
	asyncCopy    = "cp.async"
	barrierInit  = "mbarrier init"
	setMaxReg    = "setmaxnreg"
	proxyFence   = "proxy fence"
	initFence    = "mbarrier init fence"
	localLoad    = "local load"
	localStore   = "local store"
)

// Matters lists them in the order of a table. PTX opcodes are those of PTX ISA
// chapter 9.7; machine code is that of the CUDA Binary Utilities' table for
// Hopper.
func Matters() []Matter {
	return []Matter{
		{wgmma, []pattern{"wgmma mma_async"}, []pattern{"HGMMA", "QGMMA", "IGMMA", "BGMMA"}},
		{wgmmaFence, []pattern{"wgmma fence"}, []pattern{"WARPGROUP ARRIVE"}},
		{wgmmaCommit, []pattern{"wgmma commit_group"}, nil},
		{wgmmaWait, []pattern{"wgmma wait_group"}, []pattern{"WARPGROUP DEPBAR"}},
		{warpMMA, []pattern{"mma", "wmma mma"}, []pattern{"HMMA", "QMMA", "IMMA", "BMMA", "DMMA"}},
		{"ldmatrix", []pattern{"ldmatrix"}, []pattern{"LDSM"}},
		{"stmatrix", []pattern{"stmatrix"}, []pattern{"STSM"}},
		{tmaLoad, []pattern{"cp bulk tensor mbarrier::complete_tx::bytes"}, []pattern{"UTMALDG"}},
		{tmaMulticast, []pattern{"cp bulk tensor multicast::cluster"}, []pattern{"UTMALDG MULTICAST"}},
		{tmaStore, []pattern{"cp bulk tensor bulk_group !reduce"}, []pattern{"UTMASTG"}},
		{"TMA reduction", []pattern{"cp bulk tensor reduce"}, []pattern{"UTMAREDG"}},
		{"bulk copy", []pattern{"cp bulk mbarrier::complete_tx::bytes !tensor", "cp bulk bulk_group !tensor"}, []pattern{"UBLKCP", "UBLKRED"}},
		{asyncCopy, []pattern{"cp async ca", "cp async cg"}, []pattern{"LDGSTS"}},
		{barrierInit, []pattern{"mbarrier init"}, []pattern{"SYNCS EXCH"}},
		{"mbarrier arrive", []pattern{"mbarrier arrive", "mbarrier arrive_drop"}, []pattern{"SYNCS ARRIVE"}},
		{"mbarrier wait", []pattern{"mbarrier try_wait", "mbarrier test_wait"}, []pattern{"SYNCS PHASECHK"}},
		{setMaxReg, []pattern{"setmaxnreg"}, []pattern{"USETMAXREG"}},
		{proxyFence, []pattern{"fence proxy"}, []pattern{"FENCE"}},
		{initFence, []pattern{"fence mbarrier_init"}, nil},
		{"memory fence", []pattern{"fence !proxy !mbarrier_init !wgmma", "membar"}, []pattern{"MEMBAR"}},
		{"CTA barrier", []pattern{"bar !warp", "barrier !cluster"}, []pattern{"BAR"}},
		{"cluster barrier", []pattern{"barrier cluster"}, []pattern{"UCGABAR_ARV", "UCGABAR_WAIT"}},
		{"grid dependency", []pattern{"griddepcontrol"}, []pattern{"ACQBULK", "PREEXIT"}},
		{localLoad, []pattern{"ld local"}, []pattern{"LDL"}},
		{localStore, []pattern{"st local"}, []pattern{"STL"}},
	}
}

// Code is what one kernel's instructions come to, in PTX or in machine code.
type Code struct {
	Total  int            `json:"total"`  // instructions
	Counts map[string]int `json:"counts"` // by matter; what does not occur is absent
}

// add counts one instruction by the parts of its opcode.
func (c *Code) add(parts []string, patterns func(Matter) []pattern, matters []Matter) {
	c.Total++
	for _, m := range matters {
		if slices.ContainsFunc(patterns(m), func(p pattern) bool { return p.matches(parts) }) {
			c.Counts[m.Name]++
		}
	}
}

func newCode() *Code { return &Code{Counts: map[string]int{}} }
