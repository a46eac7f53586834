package formtest

import (
	"fmt"
	"slices"
	"strings"
)

// wgmmaCase is a product of a warpgroup.
type wgmmaCase struct {
	n                    int
	result, left, right  string
	majorA, majorB       bool
	registers            bool // A
	negateA, negateB     bool
	fresh                bool // scale-d is false
	swizzleA, swizzleB   int  // of the descriptors: 0 none, 1 128, 2 64, 3 32 bytes
	leading, stride, off int  // bytes
}

func (c wgmmaCase) form() string {
	return fmt.Sprintf("wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s", c.n, 32/codeBytes[c.left], c.result, c.left, c.right)
}

func (c wgmmaCase) name() string {
	name := c.form()
	for _, f := range []struct {
		on   bool
		name string
	}{{c.majorA, "ma"}, {c.majorB, "mb"}, {c.registers, "ra"}, {c.negateA, "na"}, {c.negateB, "nb"}, {c.fresh, "fresh"}} {
		if f.on {
			name += " " + f.name
		}
	}
	return fmt.Sprintf("%s s%d s%d %d", name, c.swizzleA, c.swizzleB, c.off)
}

// wgmmaShapes are the N of a type: all multiples of 8, of integers fewer (PTX
// 9.7.15.2).
func wgmmaShapes(typ string) (list []int) {
	for n := 8; n <= 256; n += 8 {
		if (typ == "s8" || typ == "u8") && n > 24 && n%16 != 0 {
			continue
		}
		list = append(list, n)
	}
	return list
}

// wgmmaTests: every shape of every type, and for some shapes every flag. The
// operands' bytes are small integers and the descriptors point among them, so
// that no layout need be known here: the two machines must read the same.
func wgmmaTests() (all []micro) {
	kinds := [][3]string{}
	for _, mods := range formsOf("wgmma") {
		if mods[0] == "mma_async" {
			kinds = append(kinds, [3]string(mods[len(mods)-3:]))
		}
	}
	seen := map[string]bool{}
	inputs := map[[3]string][]byte{}
	add := func(c wgmmaCase) {
		c.leading, c.stride = 1024, 1024
		switch c.swizzleB {
		case 0:
			c.leading, c.stride = 128, 256
		case 2:
			c.leading, c.stride = 1024, 512
		case 3:
			c.leading, c.stride = 512, 256
		}
		kind := [3]string{c.result, c.left, c.right}
		if inputs[kind] == nil {
			inputs[kind] = slices.Concat(small("wgmma a", c.left, wgmmaB), small("wgmma b", c.right, wgmmaArea-wgmmaB), small("wgmma d", c.result, 4096), small("wgmma r", c.left, 4096))
		}
		if m := c.micro(inputs[kind]); !seen[m.name] {
			seen[m.name] = true
			all = append(all, m)
		}
	}
	for i, k := range kinds {
		for j, n := range wgmmaShapes(k[1]) {
			c := wgmmaCase{n: n, result: k[0], left: k[1], right: k[2], swizzleA: (i + j) % 4, swizzleB: (i + j) % 4, registers: j%3 == 1, fresh: j%5 == 2}
			if k[1] != "s8" && k[1] != "u8" {
				c.negateA, c.negateB = j%4 == 1, j%4 == 2
			}
			if codeBytes[k[1]] == 2 {
				c.majorA, c.majorB = j%2 == 1 && !c.registers, j/2%2 == 1
			}
			add(c)
		}
		for flags := range 64 {
			c := wgmmaCase{n: 32, result: k[0], left: k[1], right: k[2], swizzleA: (flags + flags/4) % 4, swizzleB: (flags + flags/4) % 4, off: 32 * (flags / 8 % 4)}
			c.registers, c.fresh = flags&1 != 0, flags&32 != 0
			c.negateA, c.negateB = flags&2 != 0, flags&4 != 0
			c.majorA, c.majorB = flags&8 != 0, flags&16 != 0
			if codeBytes[k[1]] == 1 && k[0] == "s32" && (c.negateA || c.negateB) || codeBytes[k[1]] != 2 && (c.majorA || c.majorB) || c.registers && c.majorA {
				continue
			}
			if c.swizzleB == 0 || c.majorA || c.majorB {
				c.off = 0
			}
			add(c)
		}
	}
	slices.SortStableFunc(all, func(a, b micro) int { return strings.Compare(a.group, b.group) })
	return all
}

// descriptor is a matrix descriptor without the address of shared memory.
func (c wgmmaCase) descriptor(at, swizzle int) uint64 {
	return uint64(at>>4) | uint64(c.leading>>4)<<16 | uint64(c.stride>>4)<<32 | uint64(swizzle)<<62
}

const wgmmaArea, wgmmaB = 49152, 12288

// micro is the test with operands and a D that the input has.
func (c wgmmaCase) micro(in []byte) micro {
	var b strings.Builder
	b.WriteString(`mov.u32 %r290, dyn;
		mad.lo.u32 %r291, %tx, 16, %r290;
		mul.wide.u32 %d1, %tx, 16;
		add.u64 %d1, %d1, %inbase;
		mov.b32 %r292, 0;
		COPY:
		ld.global.v2.b64 {%d2, %d3}, [%d1];
		st.shared.v2.b64 [%r291], {%d2, %d3};
		add.u64 %d1, %d1, 2048;
		add.u32 %r291, %r291, 2048;
		add.u32 %r292, %r292, 1;
		setp.lt.u32 %p0, %r292, 24;
		@%p0 bra COPY;
		fence.proxy.async.shared::cta;
		bar.sync 0;
		shr.u32 %r293, %r290, 4;
		cvt.u64.u32 %d4, %r293;
		`)
	fmt.Fprintf(&b, "add.u64 %%d5, %%d4, %#x;\nadd.u64 %%d6, %%d4, %#x;\n", c.descriptor(c.off, c.swizzleA), c.descriptor(wgmmaB+c.off, c.swizzleB))
	n := c.n / 2
	if c.result == "f16" {
		n /= 2
	}
	// D starts from small integers of its type, which the input's tail has.
	fmt.Fprintf(&b, "mul.wide.u32 %%d7, %%tx, 16;\nadd.u64 %%d7, %%d7, %%inbase;\nadd.u64 %%d7, %%d7, %d;\n", wgmmaArea)
	for i := range n {
		fmt.Fprintf(&b, "ld.global.b32 %%r%d, [%%d7+%d];\n", i, 4*i)
		if c.result == "f32" {
			fmt.Fprintf(&b, "mov.b32 %%g%d, %%r%d;\n", i, i)
		}
	}
	if c.registers {
		for i := range 4 {
			fmt.Fprintf(&b, "ld.global.b32 %%r%d, [%%d7+%d];\n", 200+i, 4096+4*i)
		}
	}
	d := regList(0, n)
	if c.result == "f32" {
		d = strings.ReplaceAll(d, "%r", "%g")
	}
	a := "%d5"
	if c.registers {
		a = regList(200, 4)
	}
	flag := map[bool]int{true: 1}
	sign := map[bool]int{false: 1, true: -1}
	tail := ""
	if c.result != "s32" {
		tail = fmt.Sprintf(", %d, %d", sign[c.negateA], sign[c.negateB])
	}
	if codeBytes[c.left] == 2 {
		if !c.registers {
			tail += fmt.Sprintf(", %d", flag[c.majorA])
		}
		tail += fmt.Sprintf(", %d", flag[c.majorB])
	}
	fmt.Fprintf(&b, "setp.eq.u32 %%p1, %d, 0;\n!!wgmma.fence.sync.aligned;\n!!%s %s, %s, %%d6, %%p1%s;\n!!wgmma.commit_group.sync.aligned;\n!!wgmma.wait_group.sync.aligned 0;\n", flag[c.fresh], c.form(), d, a, tail)
	for i := range n {
		if c.result == "f32" {
			fmt.Fprintf(&b, "mov.b32 %%r%d, %%g%d;\n", i, i)
		}
		fmt.Fprintf(&b, "st.global.b32 [%%out+%d], %%r%d;\n", 4*i, i)
	}
	return hand("wgmma "+c.result+" "+c.left, c.name(), shape{threads: 128, out: 4 * n, shared: wgmmaArea, input: in, vars: "\t.reg .f32 %g<128>;\n"}, b.String())
}
