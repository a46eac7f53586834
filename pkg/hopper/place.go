package hopper

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// The dynamic shared memory begins at a multiple of sharedAlign, so that the
// 128-byte swizzle pattern, which follows absolute address bits, starts at
// row 0 of every tile.
const (
	sharedAlign  = 1024
	sharedSymbol = "smem"
	sharedReg    = "%smem"
	sharedLimit  = 232448 // bytes a CTA may have, CUDA C++ Programming Guide 20.2
)

// place is a position in shared memory: a register plus constant bytes.
type place struct {
	k      *Kernel
	reg    string
	offset int
}

func (p place) addr() ptx.Operand {
	return ptx.Addr{Base: regOp(p.reg), Offset: int64(p.offset)}
}

// value puts the address into a register of its own (add.s32).
func (p place) value() Int {
	out := p.k.int32()
	p.k.emit("add.s32", out.op(), regOp(p.reg), intOp(p.offset))
	return out
}

// plus is the place n times unit bytes on: nothing for a Go int, one
// mad.lo.s32 for an Int.
func (p place) plus(n Number, unit int) place {
	if c, ok := n.(int); ok {
		return place{p.k, p.reg, p.offset + c*unit}
	}
	out := p.k.int32()
	p.k.emit("mad.lo.s32", out.op(), p.k.number(n), intOp(unit), regOp(p.reg))
	return place{p.k, out.reg, p.offset}
}

// spot is what one word has set aside.
type spot struct {
	what, where string
	at, bytes   int
}

// allocate takes bytes of dynamic shared memory at a multiple of align.
func (k *Kernel) allocate(what string, bytes, align int) place {
	p := place{k, sharedReg, (k.sharedBytes + align - 1) / align * align}
	if k.recording() {
		file, line := caller()
		k.spots = append(k.spots, spot{what, fmt.Sprintf("%s:%d", file, line), p.offset, bytes})
		k.sharedBytes = p.offset + bytes
	}
	return p
}

// checkShared notes too much shared memory, at the word that went beyond.
func (k *Kernel) checkShared() {
	over := k.sharedBytes - sharedLimit
	if over <= 0 {
		return
	}
	var sum strings.Builder
	where := ""
	for _, s := range k.spots {
		fmt.Fprintf(&sum, "\n\tat %6d: %6d bytes, %s (%s)", s.at, s.bytes, s.what, s.where)
		if where == "" && s.at+s.bytes > sharedLimit {
			where = s.where
		}
	}
	k.mistakeAt(where, "the kernel takes %d bytes of shared memory, %d more than the %d that a CTA may have; use fewer stages or a smaller tile%s",
		k.sharedBytes, over, sharedLimit, sum.String())
}
