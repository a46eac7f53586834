package emu

import "gohopper/pkg/hopper/event"

// Rule is one thing that the machine itself reports: what a GPU would answer
// with an error, with a hang or with luck, in the schedule that was run.
type Rule struct {
	Name     string
	Severity event.Severity
	Doc      string // what is wrong, why it goes wrong, how to repair it
}

// Rules is every rule of the machine, those that every reader meets first.
func Rules() []Rule {
	return []Rule{
		{"stuck", event.Stuck, `No thread of the cluster can go on. A GPU would hang, without a word. The finding
names who waits for which barrier and phase, and what is missing there. Begin with what is missing: an arrival that
nobody gives, bytes that no copy brings, a warp that took another branch. Often a second finding names the cause.`},
		{"budget", event.Stuck, `A cluster has executed more instructions than it was allowed. Either a loop does not
end, or the limit is too low for the work. Look first at the loop that the finding names, and at whether what it tests ever changes.`},
		{"uninitialized", event.Error, `A byte is read that nobody has written. On a GPU it holds whatever the kernel
before left there, so a test may be right by luck. Write it first, or do not read it: often a tile is larger than what was
loaded, or the wait for a copy is missing.`},
		{"out-of-bounds", event.Error, `An access lies outside of its allocation, its shared memory or its CTA. A GPU
reports an illegal address, or reads a neighbour's bytes in silence. Compare the offset in the finding with the size, and
guard the edge of the matrix.`},
		{"misaligned", event.Error, `An address or a size is no multiple of what the instruction demands: an access's
own size, 16 bytes for bulk copies, 128 bytes for the tile of a tensor copy. The hardware refuses it. Align the object,
or use a narrower instruction.`},
		{"mbarrier", event.Error, `An mbarrier is used as none: before it was initialised, after it was overwritten,
with more arrivals or bytes than its phase can take, or from a CTA that may not wait on it. What it then counts is
undefined. Initialise it once, in one thread, and give each phase exactly the arrivals of mbarrier.init.`},
		{"barrier", event.Error, `A barrier of the CTA or of the cluster is entered in a way that it cannot count: a
number above 15, a thread count that is no multiple of 32 or differs between warps, two arrivals without a wait
between them. Give every user of a barrier the same number and the same count.`},
		{"cluster", event.Error, `An address is mapped to a rank that the cluster does not have. Nothing is there.
Compute ranks modulo the size of the cluster, and launch with the size that the kernel was recorded for. A bulk copy from
shared::cta to shared::cluster is refused, too, in a launch without a cluster; a cluster of one CTA is enough.`},
		{"exited", event.Error, `A thread touches the shared memory of a CTA of which all threads have ended. The SM may
have given the memory to another CTA already. Let every CTA of the cluster pass barrier.cluster.arrive and .wait before it ends.`},
		{"lifetime", event.Error, `A CTA ends while a copy still reads or writes its shared memory. Before the end, the
issuing thread waits for its stores with cp.async.bulk.wait_group, loads are waited for on their mbarrier, and where a peer
issues the copy, the cluster passes a barrier.`},
		{"multicast", event.Error, `The mask of a multicast names a CTA that the cluster does not have. Bit i stands for
rank i. Compute the mask from the size of the cluster.`},
		{"tensor-map", event.Error, `A tensor copy and its map do not fit: a box that starts between units of 16 bytes, a
store with a negative corner, a wrong number of coordinates, an element type that the reduction lacks, or 128 bytes
that are no map. The copy engine refuses it. The finding says which rule of the map was broken.`},
		{"copy-size", event.Error, `cp.async is told to read more bytes than it writes. The size of the source may be less,
the rest is then filled with zeros, but never more. Clamp it.`},
		{"wgmma", event.Error, `wgmma is executed by something that is no warpgroup, or its four warps disagree about the
instruction, a descriptor or scale-d. It is one instruction of 128 threads. Branch by warpgroup, never by warp or lane,
and compute its operands from values that all 128 share.`},
		{"setmaxnreg", event.Error, `setmaxnreg.dec raises, or setmaxnreg.inc lowers, what the warp has. The result is
undefined. Compare the number with what the kernel was launched with, which the finding gives.`},
		{"divergence", event.Error, `Lanes are switched off at an instruction that all lanes of the warp must execute
together. What the hardware does is undefined. Branch around it with a condition that is the same for the whole warp.`},
		{"membermask", event.Error, `The mask of a warp instruction and the lanes that execute it do not agree: a lane is
missing in its own mask, or reads from one that does not take part. Name exactly the lanes that come here, all of them by
0xffffffff.`},
		{"control", event.Error, `An indirect branch takes an index beyond its list of targets. Where it goes is undefined.
Check the index first.`},
		{"call", event.Error, `An indirect call goes to an address that is no function of this signature. Take the address
of a function with mov, and keep it whole in 64 bits.`},
		{"trap", event.Error, `The kernel executed trap, which ends a launch with an error. Somebody wrote it for a case that
should not occur; the line says which.`},
		{"assert", event.Error, `An assertion of CUDA C++ failed. The finding gives its text, file and line.`},
		{"printf", event.Error, `The kernel calls printf, and the emulator prints nothing: what you would look for is not
there. Store what you want to see to global memory, and look at it from the host.`},
	}
}
