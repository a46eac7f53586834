package hopper

import "gohopper/pkg/hopper/ptx"

// maxBox is the most elements a TMA box has along one dimension (PTX 5.5,
// cuTensorMapEncodeTiled).
const maxBox = 256

// TensorMap is a kernel parameter that describes a row-major matrix in global
// memory to the TMA engine: 128 bytes, passed by value (PTX 5.5.8).
type TensorMap struct {
	k   *Kernel
	reg string // generic address of the parameter
}

// TensorMap declares a tensor-map parameter and takes its generic address
// (mov.b64, cvta.param.u64; PTX 9.7.9.20). The host encodes the map with a box
// of the tile's columns by the tile's rows and the tile's swizzle.
func (k *Kernel) TensorMap(name string) TensorMap {
	k.param(&ptx.Var{Space: ptx.Param, Align: 64, Type: "b8", Name: name, Dims: []int{128}})
	param, generic := k.reg("%rd"), k.reg("%rd")
	k.emit("mov.b64", regOp(param), ptx.Sym{Name: name})
	k.emit("cvta.param.u64", regOp(generic), regOp(param))
	return TensorMap{k, generic}
}

// Box is the box of a tensor map whose corner is at column x and row y.
type Box struct {
	m    TensorMap
	x, y Number
}

// At is the box whose corner is column x, row y, in elements: the innermost
// dimension comes first. It records nothing.
func (m TensorMap) At(x, y Number) Box { return Box{m, x, y} }

func (b Box) operand() ptx.Operand {
	k := b.m.k
	return ptx.Tensor{Map: regOp(b.m.reg), Coords: []ptx.Operand{k.number(b.x), k.number(b.y)}}
}

// TMALoad starts the copy of a box into a tile, once for each executing
// thread, and adds the tile's bytes to full when they have landed
// (cp.async.bulk.tensor.2d, PTX 9.7.9.27.1.2). The thread does not wait. What
// lies outside the matrix is read as zero, and counts.
func (k *Kernel) TMALoad(dst Tile, src Box, full Mbarrier) {
	if !k.fitsBox("TMALoad", dst, src, full) {
		return
	}
	k.emit("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes",
		dst.addr(), src.operand(), full.addr())
}

// TMALoadMulticast is TMALoad into several CTAs of the cluster: bit r of mask
// names the CTA of rank r. Data and byte count go to the same places in each
// (mov.b16 for the mask, then cp.async.bulk.tensor.2d with
// .multicast::cluster).
func (k *Kernel) TMALoadMulticast(dst Tile, src Box, full Mbarrier, mask int) {
	k.inCluster("TMALoadMulticast")
	if mask < 1 || mask >= 1<<max(k.cluster, 1) {
		k.mistake("TMALoadMulticast with mask %#b: it has one bit for each CTA, and the cluster has %d", mask, k.cluster)
	}
	if !k.fitsBox("TMALoadMulticast", dst, src, full) {
		return
	}
	m := k.reg("%h")
	k.emit("mov.b16", regOp(m), intOp(mask))
	k.emit("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster",
		dst.addr(), src.operand(), full.addr(), regOp(m))
}

// fitsBox checks what a copy between a tile and a box is given.
func (k *Kernel) fitsBox(word string, t Tile, others ...owned) bool {
	if t.Rows > maxBox {
		k.mistake("%s of a tile of %d rows: a TMA box has at most %d; copy it in parts with Tile.From", word, t.Rows, maxBox)
	}
	return k.owns(word, append(others, t)...)
}

// PrefetchTensorMap fetches the map's 128 bytes ahead of its first use, once
// for each executing thread (prefetch.tensormap, PTX 9.7.9.15).
func (k *Kernel) PrefetchTensorMap(m TensorMap) {
	if k.owns("PrefetchTensorMap", m) {
		k.emit("prefetch.tensormap", ptx.Addr{Base: regOp(m.reg)})
	}
}
