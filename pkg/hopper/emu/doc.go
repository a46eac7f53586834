// Package emu is a machine that runs PTX: warps of 32 lanes with divergence
// and reconvergence, CTAs, clusters, memories with bounds and poison, and
// Hopper's asynchronous engines.
//
// An asynchronous operation is issued at one moment and completes at another,
// which a seed chooses; clusters run in parallel over the host's cores, and
// inside a cluster everything happens in one order that the seed fixes, so a
// run can be repeated. The package knows PTX text and nothing of the Go that
// recorded it or of the lesson it belongs to. It computes results and
// findings, never seconds.
//
// Three kinds of failure stay apart. PTX or a launch that cannot be run is an
// error. A kernel that misbehaves is a finding (event.Finding) of a run that
// goes on or stops as the hardware would. A broken emulator panics with the
// word "emulator:".
//
// # How it is built
//
//	machine.go, arena.go    device.Device and global memory
//	module.go, launch.go    loading PTX, checking and packing a launch
//	compile.go              a PTX function becomes a flat list of ops
//	call*.go, function.go   calls, which are inlined; functions and their addresses
//	supplied.go             what a GPU's driver supplies: assert, printf
//	unsupported.go          refusing what is not known, with advice
//	source.go               where an instruction comes from
//	scope.go, operand.go    names and operands become register rows
//	address.go, layout.go   memory operands, places of variables
//	special.go              special registers
//	table.go                which function compiles which opcode
//	warp.go, converge.go    a warp's registers, divergence, reconvergence
//	cta.go, grid.go         CTAs and clusters, and clusters over host threads
//	sched.go, events.go     a cluster's schedule and its event queue
//	quiet.go, stuck.go      telling a spin from work; explaining a dead end
//	tell.go                 what happens, for whoever observes the launch
//	memory.go, access.go    address spaces, bounds, poison
//	transfer.go, atomic.go  loads, stores and what clusters share
//	mbarrier.go             the ledger of an mbarrier
//	op_*.go                 the ops, one family a file
//
// Registers are rows of 32 lanes: row32 for registers up to 32 bits, row64 for
// 64-bit ones, and one mask for a predicate. Constants and fixed special
// registers are rows too, filled when a warp starts, so every source operand
// of an op is a row index and no op asks what kind of operand it has.
//
// # For authors of ops
//
// A family compiles one base opcode. It reads in.Mods and in.Args once, turns
// operands into rows, and returns a closure that does nothing but work:
//
//	func compileAdd(c *compiler, in *ptx.Instr) op {
//		args := c.args(3, 3)
//		d, a, b := c.dst32(args[0]), c.src32(args[1]), c.src32(args[2])
//		return func(w *warp, m mask) *wait {
//			rd, ra, rb := &w.r[d], &w.r[a], &w.r[b]
//			for lane := range lanes {
//				if m>>lane&1 != 0 { rd[lane] = ra[lane] + rb[lane] }
//			}
//			return nil
//		}
//	}
//
// Registers. w.r[row] is a *row32, w.d[row] a row64, w.p[row] a mask. Only
// lanes in m may be written. A register under 32 bits is kept zero-extended;
// a constant is not cut to the instruction's width, so a 16-bit op masks what
// it computes and extends what it compares. c.elements splits "{a, b}" and
// vector registers; c.src128 and c.dst128 give the low one of two row64s;
// c.width is a register's width, c.immediate a constant's value. A form that
// is not known ends with "return c.unsupported()", a wrong operand with
// c.failf. The guard is not an op's business, and ".aligned" is enforced by the
// compiler: such an op runs once, with all live lanes of the warp. An op with
// a membermask starts with "if wt := w.converge(members); wt != nil { return wt }".
//
// Memory. c.address compiles "[reg+offset]", c.pointer a bare pointer, c.space
// reads the state space from the opcode; a.at(w, lane) is the address. Then
//
//	mem := w.cta.cluster.bytes(w.agent(1<<lane), space, addr, n, align, read)
//
// is the slice of n bytes to read or write, nil when the access was refused and
// reported: a read then gives poison (poisonByte, poison32, poison64) and a
// write is dropped. It checks bounds, alignment and, for read, that every byte
// was once written; for write it marks them written. A shared address has the
// CTA's rank in it or 0 for the executing CTA, so the same call reaches
// another CTA of the cluster; t.absolute(addr) puts the rank in, and
// c.owner(t, addr) takes it out. For spaceGeneric, split(addr) gives the space
// and the address in it; shared(space, addr) insists on shared memory. An
// engine passes an agent of its own: take by := w.agent(m) at issue and set
// by.role = "TMA engine".
//
// Waits. An op that cannot go on returns a *wait and has done nothing; it is
// run again for the same lanes, or more, once ready says so. State that it
// must keep in between belongs to the warp or the CTA. explain is required.
//
// Events. c := w.cta.cluster; c.after(c.delay(engineTMA, bytes), func() {…})
// lets something happen later, in the cluster's goroutine, between two
// instructions. It may touch everything of the cluster and must capture what
// it needs at issue. The CTA may have exited by then (t.alive == 0).
//
// Mbarriers. c.completeTx(by, t, addr, bytes) and c.mbarrierArrive(by, t, addr,
// count) act on the mbarrier at a shared address relative to CTA t, and report
// what is wrong with it.
//
// Telling. A launch may be observed (Config.Observe). An op that touches shared
// or global memory calls w.tellAccess before it does, one that synchronises
// calls w.tell or its kin in tell.go, and one that starts an engine gives its
// agent an operation with c.begin. All do nothing for a cluster without a sink.
//
// Findings. w.report(m, event.Finding{Rule:, Severity:, Message:, Advice:})
// reports at the present instruction, c.report(by, f) at an agent; place and
// count are filled in. c.fault(by, f) is for what a GPU stops at.
package emu
