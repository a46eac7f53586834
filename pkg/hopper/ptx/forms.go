package ptx

import (
	"fmt"
	"strconv"
	"strings"
)

// formTable says which operands the known instructions take. To teach Verify
// an instruction, add a line. An instruction is matched by the first line of
// its opcode whose modifiers it carries in that order, so special lines stand
// before general ones; an instruction without a line is not checked.
//
// An operand is one letter:
//
//	d  destination register         D  the same, wider registers allowed
//	o  destination or the sink "_"
//	s  source register or constant  S  the same, wider registers allowed
//	a  source, or the address of a variable or function
//	p  destination predicate        q  source predicate, "!" and 0/1 allowed
//	m  [address]                    t  [map, {coordinates}]
//	i  integer constant             l  label
//	v  {list} of 32-bit registers   x  anything
//
// Registers have the instruction's type (its first type modifier; with a
// digit, "s2", the second). "s:u32" gives the type, "a:" takes any, "dw"
// doubles the size. After the letter "?" marks an operand that may be missing,
// "*" any number of them, "@M" one that is there exactly when the modifier .M
// is. "d|p" is a pair, "d|p?" one whose second half may be missing. With .v2,
// .v4 or .v8 a "d", "s" or "o" is a list of that many registers.
const formTable = `
abs                  d s
add                  d s s
addc                 d s s
sub                  d s s
subc                 d s s
mul.wide             dw s s
mul                  d s s
mul24                d s s
mad.wide             dw s s sw
mad                  d s s s
madc                 d s s s
mad24                d s s s
fma                  d s s s
sad                  d s s s
div                  d s s
rem                  d s s
neg                  d s
min                  d s s s?
max                  d s s s?
rcp                  d s
sqrt                 d s
rsqrt                d s
sin                  d s
cos                  d s
lg2                  d s
ex2                  d s
tanh                 d s
copysign             d s s
testp                p s

and.pred             p q q
or.pred              p q q
xor.pred             p q q
not.pred             p q
and                  d s s
or                   d s s
xor                  d s s
not                  d s
cnot                 d s
shl                  d s s:u32
shr                  d s s:u32
shf                  d s s s:u32
lop3.and             d|p s s s i q
lop3.or              d|p s s s i q
lop3.xor             d|p s s s i q
lop3                 d s s s i
prmt                 d s s s
bfe                  d s s:u32 s:u32
bfi                  d s s s:u32 s:u32
brev                 d s
popc                 d:b32 s
clz                  d:b32 s
bfind                d:b32 s
fns                  d s s s
szext                d s s:u32
bmsk                 d s s
dp2a                 d:b32 s:u32 s:u32 s:u32
dp4a                 d:b32 s:u32 s:u32 s:u32

setp.and             p|p? s s q
setp.or              p|p? s s q
setp.xor             p|p? s s q
setp                 p|p? s s
set.and              d s2 s2 q
set.or               d s2 s2 q
set.xor              d s2 s2 q
set                  d s2 s2
selp                 d s s q
slct                 d s s s2

cvt.rs               x x x x x?
cvt.pack             d s:u32 s:u32 s:u32?
cvt.f16x2.f32        d s2 s2
cvt.bf16x2.f32       d s2 s2
cvt.e4m3x2.f32       d s2 s2
cvt.e5m2x2.f32       d s2 s2
cvt.ue8m0x2.f32      d s2 s2
cvt                  D S2
cvta                 d a
mapa                 d a s:u32
getctarank           d:b32 a:
isspacep             p a:

ld                   D m s:u64@L2::cache_hint
ldu                  D m
st.async             m S m?
st                   m S s:u64@L2::cache_hint
prefetch             m
prefetchu            m
discard              m i
applypriority        m i
createpolicy.fractional  d x?
createpolicy         d x*
atom.cas             o m s s s:u64@L2::cache_hint
atom                 o m s s:u64@L2::cache_hint
red.async            m s m?
red                  m s s:u64@L2::cache_hint

bra                  l
brx.idx              s:u32 x
ret
exit
trap
brkpt
pmevent              i
nanosleep            s
bar.warp.sync        s:u32
bar.red.popc         d:b32 s:u32 s:u32? q
bar.red              p s:u32 s:u32? q
bar.arrive           s:u32 s:u32
bar.sync             s:u32 s:u32?
barrier.cluster
barrier.red.popc     d:b32 s:u32 s:u32? q
barrier.red          p s:u32 s:u32? q
barrier.arrive       s:u32 s:u32
barrier.sync         s:u32 s:u32?
membar
fence.proxy.tensormap::generic.acquire m i
fence
griddepcontrol
setmaxnreg           i

activemask           d
elect.sync           o:b32|p s:u32
shfl.sync            o|p? s s:u32 s:u32 s:u32
vote.sync.ballot     d q s:u32
vote.sync            p q s:u32
match.any            d:b32 s s:u32
match.all            d:b32|p? s s:u32
redux.sync           d s s:u32

ldmatrix             v m
stmatrix             m v
movmatrix            d:b32 s:b32
mma.sp               x*
mma.sp::ordered_metadata x*
mma.block_scale      x*
mma.sync             x x x x

wgmma.fence
wgmma.commit_group
wgmma.wait_group     i

mbarrier.init                   m s:u32
mbarrier.inval                  m
mbarrier.arrive.expect_tx       o:b64 m s:u32
mbarrier.arrive.noComplete      o:b64 m s:u32
mbarrier.arrive                 o:b64 m s:u32?
mbarrier.arrive_drop.expect_tx  o:b64 m s:u32
mbarrier.arrive_drop.noComplete o:b64 m s:u32
mbarrier.arrive_drop            o:b64 m s:u32?
mbarrier.expect_tx              m s:u32
mbarrier.complete_tx            m s:u32
mbarrier.test_wait.parity       p m s:u32
mbarrier.test_wait              p m s:u64
mbarrier.try_wait.parity        p m s:u32 s:u32?
mbarrier.try_wait               p m s:u64 s:u32?
mbarrier.pending_count          d:u32 s:u64

cp.reduce.async.bulk.tensor                  t m s:u64@L2::cache_hint
cp.reduce.async.bulk.shared::cluster         m m s:u32 m
cp.reduce.async.bulk                         m m s:u32 s:u64@L2::cache_hint
cp.async.commit_group
cp.async.wait_group             i
cp.async.wait_all
cp.async.mbarrier.arrive        m
cp.async.bulk.prefetch.tensor.tile::gather4  x*
cp.async.bulk.prefetch.tensor.im2col::w      x*
cp.async.bulk.prefetch.tensor.im2col::w::128 x*
cp.async.bulk.prefetch.tensor   t v@im2col s:u64@L2::cache_hint
cp.async.bulk.prefetch          m s:u32 s:u64@L2::cache_hint
cp.async.bulk.tensor.tile::gather4           x*
cp.async.bulk.tensor.tile::scatter4          x*
cp.async.bulk.tensor.im2col::w               x*
cp.async.bulk.tensor.im2col::w::128          x*
cp.async.bulk.tensor.shared::cluster.global  m t m v@im2col s:u16@multicast::cluster s:u64@L2::cache_hint
cp.async.bulk.tensor.shared::cta.global      m t m v@im2col s:u64@L2::cache_hint
cp.async.bulk.tensor.global.shared::cta      t m s:u64@L2::cache_hint
cp.async.bulk.shared::cluster.global         m m s:u32 m s:u16@multicast::cluster s:u64@L2::cache_hint
cp.async.bulk.shared::cta.global.ignore_oob  x*
cp.async.bulk.shared::cta.global             m m s:u32 m s:u64@L2::cache_hint
cp.async.bulk.shared::cluster.shared::cta    m m s:u32 m
cp.async.bulk.global.shared::cta             m m s:u32 s:u64@L2::cache_hint s:u16@cp_mask
cp.async                                     m m i x? x?
tensormap.replace.box_dim                    m i s
tensormap.replace.global_dim                 m i s
tensormap.replace.global_stride              m i s
tensormap.replace.element_stride             m i s
tensormap.replace                            m x
tensormap.cp_fenceproxy                      m m i
`

// form is one line of the table.
type form struct {
	mods []string
	args []param
}

// param is what one operand has to be.
type param struct {
	letter   byte
	second   byte // the letter behind the bar of a pair, or 0
	loose    bool // "?" behind a pair: its second half may be missing
	which    int  // the instruction's n-th type, counted from 1
	double   bool // of twice its size
	typ      Type // given by the table instead
	optional bool
	repeated bool
	when     string // there exactly when the instruction has this modifier
}

// forms is formTable by base opcode.
var forms = readForms(formTable)

func readForms(table string) map[string][]form {
	all := map[string][]form{}
	for _, line := range strings.Split(table, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		name := strings.Split(fields[0], ".")
		f := form{mods: name[1:]}
		for _, text := range fields[1:] {
			f.args = append(f.args, readParam(text))
		}
		all[name[0]] = append(all[name[0]], f)
	}
	return all
}

// readParam reads one operand of the table, such as "s2", "o:b32|p" or
// "s:u64@L2::cache_hint".
func readParam(text string) param {
	p := param{which: 1}
	rest := text
	rest, p.when, _ = strings.Cut(rest, "@")
	if s, ok := strings.CutSuffix(rest, "*"); ok {
		rest, p.repeated = s, true
	}
	optional := strings.HasSuffix(rest, "?")
	rest = strings.TrimSuffix(rest, "?")
	rest, second, pair := strings.Cut(rest, "|")
	if pair {
		p.second, p.loose = second[0], optional
	} else {
		p.optional = optional
	}
	rest, typ, typed := strings.Cut(rest, ":")
	p.letter, rest = rest[0], rest[1:]
	switch {
	case typed:
		p.typ, p.which = Type(typ), 0
	case rest == "w":
		p.double = true
	case rest != "":
		n, err := strconv.Atoi(rest)
		if err != nil {
			panic(fmt.Sprintf("ptx: formTable: cannot read %q", text))
		}
		p.which = n
	}
	return p
}

// types is how many of the opcode's types the form refers to.
func (f *form) types() int {
	n := 0
	for _, p := range f.args {
		n = max(n, p.which)
	}
	return n
}

// formOf finds the line for an instruction, or nil.
func formOf(in *Instr) *form {
	list := forms[in.Op]
	for i := range list {
		if carries(in.Mods, list[i].mods) {
			return &list[i]
		}
	}
	return nil
}

// carries reports whether all of want occur in mods in that order.
func carries(mods, want []string) bool {
	for _, m := range mods {
		if len(want) == 0 {
			return true
		}
		if m == want[0] {
			want = want[1:]
		}
	}
	return len(want) == 0
}
