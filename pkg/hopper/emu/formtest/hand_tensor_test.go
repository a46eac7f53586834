package formtest

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper/device"
)

// tensorMap5 is a tensor of up to 5 dimensions, dense, with a box of 512 bytes
// of 16-bit elements or less.
func tensorMap5(rank int, typ device.MapType, at device.Ptr) device.TensorMap {
	dims := []uint64{13, 6, 5, 4, 3} // of rows as long as 16
	t := device.TensorMap{Type: typ, Address: at, Dims: dims[:rank], Box: []uint32{8, 4, 2, 2, 2}[:rank]}
	pitch := 16 * uint64(typ.Bytes())
	for _, n := range dims[1:rank] {
		t.Strides = append(t.Strides, pitch)
		pitch *= n
	}
	return t
}

// corners are boxes inside, over the edges, and outside on one side.
var corners = [][5]int{{0, 0, 0, 0, 0}, {8, 1, 2, 1, 1}, {-8, 3, 4, 2, 2}, {8, -2, -1, 3, -1}, {16, 1, 1, 1, 1}}

func coordinates(c [5]int, rank int) string {
	var list []string
	for _, x := range c[:rank] {
		list = append(list, fmt.Sprint(x))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

const tensorBytes = 16 * 6 * 5 * 4 * 3 * 8 // of the largest tensor

// named makes constants of a list of registers, which coordinates are.
func named(list string) (setup, regs string) {
	var names []string
	for i, x := range strings.Split(strings.Trim(list, "{}"), ", ") {
		setup += fmt.Sprintf("mov.b32 %%r%d, %s;\n", 100+i, x)
		names = append(names, fmt.Sprintf("%%r%d", 100+i))
	}
	return setup, "{" + strings.Join(names, ", ") + "}"
}

const mapAddress = "mov.b64 %d10, map0;\ncvta.param.u64 %d10, %d10;\ncreatepolicy.fractional.L2::evict_last.b64 %d7, 1.0;\n"

// loadBox loads a box of so many bytes and gives the first 1024 bytes of its
// place; what the copy leaves alone is -1.
func loadBox(name string, t func(in, out device.Ptr) device.TensorMap, bytes int, coords, form, last string) micro {
	setup, regs := named(coords)
	return hand("tensor", name, shape{threads: 64, out: 16, vars: bulkVars, input: noise("tensor", tensorBytes),
		maps: func(in, out device.Ptr) []device.TensorMap { return []device.TensorMap{t(in, out)} }}, bulkStart+mapAddress+setup+`
		mad.lo.u32 %r1, %tx, 16, %r0;
		mov.b64 %d1, -1;
		st.shared.v2.b64 [%r1], {%d1, %d1};
		fence.proxy.async.shared::cta;
		bar.sync 0;
		@%p0 bra WAIT;
		mbarrier.arrive.expect_tx.shared.b64 _, [%r9], `+fmt.Sprint(bytes)+";\n!!"+form+" [%r0], [%d10, "+regs+"], [%r9]"+last+";"+bulkWait+`
		ld.shared.v2.b64 {%d1, %d2}, [%r1];
		st.global.v2.b64 [%out], {%d1, %d2};`)
}

// storeBox fills 1024 bytes of shared memory and stores or reduces a box of
// them into a tensor that is a copy of the input's first bytes.
func storeBox(name string, t func(in, out device.Ptr) device.TensorMap, input []byte, coords, form, last string) micro {
	setup, regs := named(coords)
	const size = 64 * 16 * 12 // at least the tensor's of 16-bit elements
	return hand("tensor", name, shape{threads: 64, outputs: size, vars: bulkVars, input: input,
		maps: func(in, out device.Ptr) []device.TensorMap { return []device.TensorMap{t(in, out)} }}, bulkStart+mapAddress+setup+`
		mul.wide.u32 %d20, %tx, 16;
		add.u64 %d21, %d20, %inbase;
		add.u64 %d20, %d20, %outbase;
		mov.b32 %r2, 0;
		COPY:
		ld.global.v2.b64 {%d1, %d2}, [%d21];
		st.global.v2.b64 [%d20], {%d1, %d2};
		add.u64 %d20, %d20, 1024;
		add.u64 %d21, %d21, 1024;
		add.u32 %r2, %r2, 1;
		setp.lt.u32 %p3, %r2, 12;
		@%p3 bra COPY;
		ld.global.v2.b64 {%d1, %d2}, [%d21];
		mad.lo.u32 %r1, %tx, 16, %r0;
		st.shared.v2.b64 [%r1], {%d1, %d2};
		fence.proxy.async;
		bar.sync 0;
		@%p0 bra DONE;
		!!`+form+" [%d10, "+regs+"], [%r0]"+last+";"+bulkDone+"DONE:")
}

func tensorTests() (all []micro) {
	boxBytes := []int{16, 64, 128, 256, 512}
	words := noise("tensor", tensorBytes)
	for rank := 1; rank <= 5; rank++ {
		dim := fmt.Sprintf("%dd", rank)
		load := func(in, _ device.Ptr) device.TensorMap { return tensorMap5(rank, device.MapU16, in) }
		store := func(_, out device.Ptr) device.TensorMap { return tensorMap5(rank, device.MapU16, out) }
		reduce := func(_, out device.Ptr) device.TensorMap {
			t := tensorMap5(rank, device.MapU32, out)
			t.Dims[rank-1] /= 2 // half as many elements of twice the size
			return t
		}
		for i, space := range []string{"shared::cluster", "shared::cta"} {
			for j, mode := range []string{"", ".tile"} {
				for k, hint := range []string{"", ".L2::cache_hint"} {
					name := "cp.async.bulk.tensor." + dim + "." + space + ".global" + mode + ".mbarrier::complete_tx::bytes" + hint
					all = append(all, loadBox(name, load, boxBytes[rank-1], coordinates(corners[(i+2*j+k)%len(corners)], rank), name, []string{"", ", %d7"}[k]))
				}
			}
		}
		for i, c := range corners {
			all = append(all, loadBox(fmt.Sprintf("load %s corner %d", dim, i), load, boxBytes[rank-1], coordinates(c, rank),
				"cp.async.bulk.tensor."+dim+".shared::cluster.global.mbarrier::complete_tx::bytes", ""))
		}
		for j, mode := range []string{"", ".tile"} {
			for k, hint := range []string{"", ".L2::cache_hint"} {
				last := []string{"", ", %d7"}[k]
				name := "cp.async.bulk.tensor." + dim + ".global.shared::cta" + mode + ".bulk_group" + hint
				// A row of 13 elements ends between units of 16 bytes: what is
				// stored past its end counts, too.
				all = append(all, storeBox(name, store, words, coordinates([5]int{8 * j, 3 * k, 1, 2, 1}, rank), name, last))
				for _, op := range []string{"add", "min", "max", "inc", "dec", "and", "or", "xor"} {
					if hint != "" && op != "add" {
						continue
					}
					name := "cp.reduce.async.bulk.tensor." + dim + ".global.shared::cta." + op + mode + ".bulk_group" + hint
					all = append(all, storeBox(name, reduce, words, coordinates([5]int{0, 1, 1, 1, 0}, rank), name, last))
				}
				setup, regs := named(coordinates(corners[1], rank))
				name = "cp.async.bulk.prefetch.tensor." + dim + ".L2.global" + mode + hint
				all = append(all, hand("tensor", name, shape{threads: 64, out: 4, input: words, maps: func(in, out device.Ptr) []device.TensorMap { return []device.TensorMap{load(in, out)} }},
					mapAddress+setup+"setp.ne.u32 %p0, %tx, 0;\n@%p0 bra DONE;\n!!"+name+" [%d10, "+regs+"]"+last+";\n!!prefetch.tensormap [%d10];\n!!prefetch.param.tensormap [map0];\nDONE:\nst.global.b32 [%out], %tx;"))
			}
		}
	}
	return append(all, append(mapTests(), replaceTests()...)...)
}

// mapTests go through what a map can say, in two dimensions.
func mapTests() (all []micro) {
	for typ := device.MapU8; typ <= device.MapTF32FTZ; typ++ {
		for _, swizzle := range []device.Swizzle{device.SwizzleNone, device.Swizzle32B, device.Swizzle64B, device.Swizzle128B} {
			for _, fill := range []device.Fill{device.FillZero, device.FillNaN} {
				if fill == device.FillNaN && !typ.Float() {
					continue
				}
				row := 64 // bytes of a row of the box
				if swizzle.Span() > 0 {
					row = swizzle.Span()
				}
				name := fmt.Sprintf("map %v %v %d", typ, swizzle, fill)
				load := func(in, _ device.Ptr) device.TensorMap {
					return device.TensorMap{Type: typ, Address: in, Dims: []uint64{uint64(144 / typ.Bytes()), 11}, Strides: []uint64{160},
						Box: []uint32{uint32(row / typ.Bytes()), 8}, Swizzle: swizzle, Fill: fill}
				}
				m := loadBox(name, load, 8*row, fmt.Sprintf("{%d, 5}", 96/typ.Bytes()), "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes", "")
				m.in = floatNoise("map", map[bool]string{true: "f32", false: "b32"}[typ.Float() && typ.Bytes() == 4], 4096)
				all = append(all, m)
			}
		}
	}
	for steps := uint32(1); steps <= 8; steps++ {
		load := func(in, _ device.Ptr) device.TensorMap {
			return device.TensorMap{Type: device.MapU32, Address: in, Dims: []uint64{40, 20}, Strides: []uint64{160}, Box: []uint32{32, 8},
				ElementStrides: []uint32{1, steps}}
		}
		rows := (8 + int(steps) - 1) / int(steps)
		all = append(all, loadBox(fmt.Sprintf("map step %d", steps), load, 128*rows, "{4, 3}", "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes", ""))
	}
	for _, r := range []struct {
		op    string
		types []device.MapType
	}{
		{"add", []device.MapType{device.MapU32, device.MapS32, device.MapU64, device.MapF16, device.MapBF16, device.MapF32, device.MapF64}},
		{"min", []device.MapType{device.MapU32, device.MapS32, device.MapU64, device.MapS64, device.MapF16, device.MapBF16}},
		{"max", []device.MapType{device.MapU32, device.MapS32, device.MapU64, device.MapS64, device.MapF16, device.MapBF16}},
		{"inc", []device.MapType{device.MapU32}}, {"dec", []device.MapType{device.MapU32}},
		{"and", []device.MapType{device.MapU32, device.MapS32, device.MapU64}}, {"or", []device.MapType{device.MapU32, device.MapU64}}, {"xor", []device.MapType{device.MapU32, device.MapU64}},
	} {
		for _, typ := range r.types {
			at := func(_, out device.Ptr) device.TensorMap {
				return device.TensorMap{Type: typ, Address: out, Dims: []uint64{uint64(128 / typ.Bytes()), 11}, Strides: []uint64{160}, Box: []uint32{uint32(128 / typ.Bytes()), 8}}
			}
			input := noise("reduce"+r.op, tensorBytes)
			if typ.Float() {
				input = floatNoise("reduce"+r.op, typ.String(), tensorBytes)
			}
			all = append(all, storeBox(fmt.Sprintf("reduce %s %v", r.op, typ), at, input, "{0, 2}", "cp.reduce.async.bulk.tensor.2d.global.shared::cta."+r.op+".bulk_group", ""))
		}
	}
	return all
}

// replaceTests change every field of a map in shared memory and load through
// it: the map is copied to global memory, behind the loaded bytes.
func replaceTests() (all []micro) {
	for _, space := range []string{"shared::cta", "global", ""} {
		dot := ""
		if space != "" {
			dot = "." + space
		}
		field := func(name, bits, args string) string {
			return "!!tensormap.replace.tile." + name + dot + ".b1024." + bits + " [AT]" + args + ";\n"
		}
		at, where := "%r2", "add.u32 %r2, %r0, 4096;\n"
		switch space {
		case "global":
			at, where = "%d11", ""
		case "":
			at, where = "%d12", "cvt.u64.u32 %d12, %r0;\nadd.u64 %d12, %d12, 4096;\ncvta.shared.u64 %d12, %d12;\n"
		}
		change := field("global_address", "b64", ", %d13") +
			field("rank", "b32", ", 1") +
			field("box_dim", "b32", ", 0, 16") + field("box_dim", "b32", ", 1, 7") +
			field("global_dim", "b32", ", 0, 30") + field("global_dim", "b32", ", 1, %r3") +
			field("global_stride", "b64", ", 0, 128") +
			field("element_stride", "b32", ", 0, 1") + field("element_stride", "b32", ", 1, 2") +
			field("elemtype", "b32", ", 2") + field("interleave_layout", "b32", ", 0") + field("swizzle_mode", "b32", ", 2") + field("fill_mode", "b32", ", 0")
		for i, c := range strings.SplitAfter(change, ";\n") {
			if c == "" {
				continue
			}
			all = append(all, replaced(space, fmt.Sprintf("replace %s %d", space, i), where, at, c))
		}
		all = append(all, replaced(space, "replace all "+space, where, at, change))
	}
	for _, scope := range []string{"cta", "cluster", "gpu", "sys"} {
		m := replaced("shared::cta", "cp_fenceproxy "+scope, "add.u32 %r2, %r0, 4096;\n", "%r2", "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [AT], 1, 4;\n")
		m.text = replaceAll(m.text, "generic.release.gpu.sync", "generic.release."+scope+".sync")
		m.forms = []string{"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release." + scope + ".sync.aligned"}
		all = append(all, m)
	}
	return all
}

// replaced makes a map of the kernel's map with a change and loads the box at
// (4, 1) through it.
func replaced(space, name, where, at, change string) micro {
	t := func(in, out device.Ptr) []device.TensorMap {
		return []device.TensorMap{{Type: device.MapU32, Address: in, Dims: []uint64{32, 16}, Strides: []uint64{160}, Box: []uint32{16, 8}}}
	}
	// How many bytes come is what the box of the changed map holds.
	bytes := 16 * 8 * 4
	switch {
	case strings.Contains(change, "box_dim") && strings.Contains(change, "element_stride"):
		bytes = 16 * 4 * 4 // 7 rows, every second: 4
	case strings.Contains(change, ", 1, 7"):
		bytes = 16 * 7 * 4
	case strings.Contains(change, ", 1, 4"):
		bytes = 16 * 4 * 4
	case strings.Contains(change, "element_stride") && strings.Contains(change, ", 1, 2"):
		bytes = 16 * 4 * 4
	}
	shared, global := "", change
	if space != "global" {
		shared, global = change, ""
	}
	elected := func(text string) string {
		if text == "" {
			return ""
		}
		return "setp.ne.u32 %p5, %tx, 0;\n@%p5 bra SKIP" + space[:min(1, len(space))] + ";\n" + replaceAll(text, "AT", at) + "SKIP" + space[:min(1, len(space))] + ":\n"
	}
	return hand("tensormap", name, shape{threads: 32, outputs: 2048, vars: bulkVars, input: noise("tensor", 8192), maps: t}, bulkStart+`
		mov.b64 %d10, map0;
		cvta.param.u64 %d10, %d10;
		add.u64 %d11, %outbase, 1024;
		add.u64 %d13, %inbase, 64;
		mov.b32 %r3, 9;
		`+where+`
		mad.lo.u32 %r1, %tx, 4, %r0;
		mul.wide.u32 %d14, %tx, 4;
		add.u64 %d14, %d14, %d10;
		ld.b32 %r4, [%d14];
		st.shared.b32 [%r1+4096], %r4;
		mov.b64 %d1, -1;
		mad.lo.u32 %r1, %tx, 32, %r0;
		st.shared.v2.b64 [%r1], {%d1, %d1};
		st.shared.v2.b64 [%r1+16], {%d1, %d1};
		fence.proxy.async;
		bar.sync 0;
		`+elected(shared)+`
		bar.sync 0;
		add.u32 %r5, %r0, 4096;
		!!tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d11], [%r5], 128;
		bar.sync 0;
		`+elected(global)+`
		fence.proxy.tensormap::generic.release.gpu;
		bar.sync 0;
		!!fence.proxy.tensormap::generic.acquire.gpu [%d11], 128;
		@%p0 bra WAIT;
		mbarrier.arrive.expect_tx.shared.b64 _, [%r9], `+fmt.Sprint(bytes)+`;
		mov.b32 %r6, 4;
mov.b32 %r7, 1;
		cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d11, {%r6, %r7}], [%r9];`+bulkWait+`
		mul.wide.u32 %d15, %tx, 32;
		add.u64 %d15, %d15, %outbase;
		ld.shared.v2.b64 {%d1, %d2}, [%r1];
		st.global.v2.b64 [%d15], {%d1, %d2};
		ld.shared.v2.b64 {%d1, %d2}, [%r1+16];
		st.global.v2.b64 [%d15+16], {%d1, %d2};
		mul.wide.u32 %d15, %tx, 4;
		add.u64 %d15, %d15, %d11;
		st.global.b32 [%d15], 0;`)
}

// tensorMulticast loads boxes into all CTAs of a cluster.
func tensorMulticast(start, get string) (all []micro) {
	for rank := 1; rank <= 5; rank++ {
		for _, hint := range []string{"", ".L2::cache_hint"} {
			last := ", %h0"
			if hint != "" {
				last += ", %d7"
			}
			for _, mode := range []string{"", ".tile"} {
				name := fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cluster.global%s.mbarrier::complete_tx::bytes.multicast::cluster%s", rank, mode, hint)
				setup, regs := named(coordinates(corners[1], rank))
				m := hand("cluster", name, shape{threads: 64, ctas: 8, cluster: 4, out: 8, input: noise("tensor", tensorBytes),
					vars: ".shared .align 128 .b8 area[2048];\n.shared .align 8 .b64 bar;\n",
					maps: func(in, _ device.Ptr) []device.TensorMap {
						t := tensorMap5(rank, device.MapU16, in)
						return []device.TensorMap{t}
					}}, replaceAll(start, ", 512;", fmt.Sprintf(", %d;", 2*[]int{16, 64, 128, 256, 512}[rank-1]), "256, %r0", "512, %r0")+mapAddress+setup+"!!"+name+" [%r5], [%d10, "+regs+"], [%r9]"+last+";"+
					replaceAll(get, "mad.lo.u32 %r1, %tx, 8, %r0;", "and.b32 %r1, %tx, 1;\nmad.lo.u32 %r1, %r1, 512, %r0;\nshr.u32 %r2, %tx, 1;\nmad.lo.u32 %r1, %r2, 8, %r1;\nrem.u32 %r2, %r2, "+fmt.Sprint([]int{2, 8, 16, 32, 64}[rank-1])+";\nmad.lo.u32 %r1, %r2, 8, %r0;"))
				all = append(all, m)
			}
		}
	}
	return all
}
