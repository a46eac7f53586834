package ptx

import (
	"fmt"
	"strconv"
	"strings"
)

// needTable says which target and which PTX version instructions need: opcode
// with the modifiers that matter, target, version. Every line whose modifiers
// an instruction carries in that order applies. "sm_90" means 90 or higher,
// "sm_90a+" an architecture-specific target of 90 or higher, "sm_90a" exactly
// that one, "-" any.
//
// Sources: "PTX ISA Notes" and "Target ISA Notes" of each instruction; the
// lines for Hopper were compared with what ptxas accepts.
const needTable = `
wgmma                                   sm_90a   8.0
wgmma.s8.u8                             sm_90a   8.4
wgmma.u8.s8                             sm_90a   8.4
setmaxnreg                              sm_90a+  8.0

mbarrier                                sm_80    7.0
mbarrier.shared::cta                    sm_80    7.8
mbarrier.release                        sm_80    8.0
mbarrier.acquire                        sm_80    8.0
mbarrier.relaxed                        sm_90    8.0
mbarrier.test_wait.parity               sm_80    7.1
mbarrier.test_wait.relaxed              sm_90    8.6
mbarrier.try_wait                       sm_90    7.8
mbarrier.try_wait.relaxed               sm_90    8.6
mbarrier.expect_tx                      sm_90    8.0
mbarrier.complete_tx                    sm_90    8.0
mbarrier.shared::cluster                sm_90    8.0
mbarrier.arrive.relaxed                 sm_90    8.6
mbarrier.arrive_drop.relaxed            sm_90    8.6

cp.async                                sm_80    7.0
cp.async.bulk                           sm_90    8.0
cp.async.bulk.shared::cta.global        sm_90    8.6
cp.async.bulk.tensor.shared::cta.global sm_90    8.6
cp.async.bulk.cp_mask                   sm_100   8.6
cp.reduce.async.bulk                    sm_90    8.0
prefetch.tensormap                      sm_90    8.0
tensormap.replace                       sm_90a+  8.3
tensormap.cp_fenceproxy                 sm_90    8.3
st.async                                sm_90    8.1
red.async                               sm_90    8.1
multimem                                sm_90    8.1

fence                                   sm_70    6.0
fence.cluster                           sm_90    7.8
fence.sync_restrict::shared::cluster    sm_90    8.6
fence.sync_restrict::shared::cta        sm_90    8.6
fence.mbarrier_init                     sm_90    8.0
fence.proxy.async                       sm_90    8.0
fence.proxy.tensormap::generic          sm_90    8.3
barrier.cluster                         sm_90    7.8
barrier.cluster.arrive.release          sm_90    8.0
barrier.cluster.arrive.relaxed          sm_90    8.0
barrier.cluster.wait.acquire            sm_90    8.0
griddepcontrol                          sm_90    7.8
elect                                   sm_90    8.0
mapa                                    sm_90    7.8
getctarank                              sm_90    7.8

ld.shared::cta                          -        7.8
st.shared::cta                          -        7.8
ld.shared::cluster                      sm_90    7.8
st.shared::cluster                      sm_90    7.8
atom.shared::cluster                    sm_90    7.8
red.shared::cluster                     sm_90    7.8
isspacep.shared::cluster                sm_90    7.8
ld.L2::cache_hint                       sm_80    7.4
st.L2::cache_hint                       sm_80    7.4
ld.b128                                 -        8.3
st.b128                                 -        8.3
mov.b128                                -        8.3
ld.v8                                   sm_100   8.8
st.v8                                   sm_100   8.8
atom.b128                               sm_90    8.3
atom.v2                                 sm_90    8.1
atom.v4                                 sm_90    8.1
red.v2                                  sm_90    8.1
red.v4                                  sm_90    8.1
discard                                 sm_80    7.4
createpolicy                            sm_80    7.4

mma.m16n8k16.f16                        sm_80    7.0
mma.bf16                                sm_80    7.0
mma.tf32                                sm_80    7.0
mma.e4m3                                sm_89    8.4
mma.e5m2                                sm_89    8.4
ldmatrix                                sm_75    6.5
ldmatrix.shared::cta                    sm_75    7.8
stmatrix                                sm_90    7.8
movmatrix                               sm_75    7.8
redux                                   sm_80    7.0
redux.f32                               sm_100a+ 8.6
activemask                              -        6.2
cvt.f16x2                               sm_80    7.0
cvt.bf16x2                              sm_80    7.0
cvt.tf32                                sm_80    7.0
cvt.e4m3x2                              sm_89    8.1
cvt.e5m2x2                              sm_89    8.1
cvt.ue8m0x2                             sm_100a+ 8.6
add.f32x2                               sm_100   8.6
sub.f32x2                               sm_100   8.6
mul.f32x2                               sm_100   8.6
fma.f32x2                               sm_100   8.6
add.bf16x2                              sm_90    7.8
add.u16x2                               sm_90    8.0
add.s16x2                               sm_90    8.0
fma.bf16x2                              sm_80    7.0
tcgen05                                 sm_100a+ 8.6
`

// need is one line of the table.
type need struct {
	mods    []string
	target  string
	version Version
}

// needs is needTable by base opcode.
var needs = readNeeds(needTable)

func readNeeds(table string) map[string][]need {
	all := map[string][]need{}
	for _, line := range strings.Split(table, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		name := strings.Split(fields[0], ".")
		n := need{mods: name[1:], target: fields[1]}
		if fields[2] != "-" {
			if _, err := fmt.Sscanf(fields[2], "%d.%d", &n.version.Major, &n.version.Minor); err != nil {
				panic(fmt.Sprintf("ptx: needTable: cannot read %q", line))
			}
		}
		all[name[0]] = append(all[name[0]], n)
	}
	return all
}

// met reports whether a module's target satisfies a target of the table.
func met(want, target string) bool {
	if want == "-" {
		return true
	}
	base, specific := strings.CutSuffix(want, "+")
	number, suffix := splitTarget(target)
	least, exact := splitTarget(base)
	switch {
	case specific:
		return number >= least && suffix != ""
	case exact != "":
		return target == want
	}
	return number >= least
}

// splitTarget splits "sm_90a" into 90 and "a". The number is 0 for a name that
// is no target.
func splitTarget(name string) (number int, suffix string) {
	digits, ok := strings.CutPrefix(name, "sm_")
	if !ok {
		return 0, ""
	}
	if n := len(digits); n > 0 && isLetter(digits[n-1]) {
		digits, suffix = digits[:n-1], digits[n-1:]
	}
	number, err := strconv.Atoi(digits)
	if err != nil {
		return 0, ""
	}
	return number, suffix
}
