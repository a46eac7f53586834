// Package hopper is the vocabulary in which a kernel is written: Go words that
// record PTX.
//
// A word is named for what it emits and for who issues it. One word is one PTX
// instruction, or the fixed run that its comment states; a fence, a commit or
// a wait is never slipped in, since placing them is what the course is about.
// Every instruction carries the Go line that asked for it. A mistake in
// writing is kept with that line, and all mistakes are reported together by
// Kernel.Module, with what to write instead.
//
// Values (Int, Tile, Mbarrier and so on) belong to the kernel whose word made
// them and cannot cross to another one. Their zero values belong to none.
// Sections of the PTX ISA are cited as "PTX 9.7.15".
//
// The package runs nothing and prints nothing: it knows pkg/hopper/ptx and no
// device. It must not know the lessons either.
package hopper

import (
	"errors"
	"fmt"

	"gohopper/pkg/hopper/ptx"
)

// Kernel records one entry. Its methods are the vocabulary; it is for one
// goroutine. Module ends the recording.
type Kernel struct {
	name    string
	threads int
	cluster int
	isa     ptx.Version

	fn     *ptx.Func
	body   *ptx.Block
	files  []ptx.File
	counts map[string]int // registers so far, by name prefix
	labels int
	last   ptx.Source // of the latest instruction
	solo   string     // the innermost word whose body one thread executes, "" outside of them

	sharedBytes int
	spots       []spot // what sharedBytes is made of

	errs   []error
	done   bool        // Module has been called
	module *ptx.Module // nil until then, and if there are mistakes
}

// Option changes how an entry is declared.
type Option func(*Kernel)

// Threads fixes the CTA at n threads along x, 32 to 1024 in whole warps:
// ".maxntid n, 1, 1" with ".minnctapersm 1" (PTX 11.4), so that the assembler
// may give each thread as many registers as there can be. The SM has four parts
// of 16,384, over which the warps are dealt out, and the part with the most
// warps decides for all, rounded down to a multiple of 8: 255, the most a thread
// can name, for up to 8 warps; 168 for 9 to 12; 128 for 13 to 16.
func Threads(n int) Option { return func(k *Kernel) { k.threads = n } }

// Cluster fixes the cluster at n CTAs along x, 1 to 8: ".explicitcluster" with
// ".reqnctapercluster n, 1, 1" (PTX 11.7), which makes a launch without a
// cluster size start clusters of n. The grid is then a multiple of n along x.
// Cluster(1) is no cluster.
func Cluster(n int) Option { return func(k *Kernel) { k.cluster = n } }

// New begins a kernel. Without options it has 128 threads and no cluster.
func New(name string, options ...Option) *Kernel {
	k := &Kernel{
		name: name, threads: 128, cluster: 1,
		isa:    ptx.Version{Major: 8, Minor: 0},
		fn:     &ptx.Func{Linkage: "visible", Entry: true, Name: name},
		body:   &ptx.Block{},
		counts: map[string]int{},
	}
	for _, o := range options {
		o(k)
	}
	k.checkName("kernel", name)
	if k.threads < warpThreads || k.threads > 1024 || k.threads%warpThreads != 0 {
		k.mistake("Threads(%d): a CTA has 32 to 1024 threads, in whole warps of 32", k.threads)
	}
	if k.cluster < 1 || k.cluster > 8 {
		k.mistake("Cluster(%d): a cluster has 1 to 8 CTAs; 8 is the most that every Hopper GPU can place", k.cluster)
	}
	return k
}

// Name of the entry.
func (k *Kernel) Name() string { return k.name }

// ThreadsPerCTA is what the launch must ask for.
func (k *Kernel) ThreadsPerCTA() int { return k.threads }

// ClusterSize is the number of CTAs in a cluster, 1 where there is none.
func (k *Kernel) ClusterSize() int { return k.cluster }

// SharedBytes is the dynamic shared memory that the launch must ask for.
func (k *Kernel) SharedBytes() int { return k.sharedBytes }

// Module ends the recording with a ret and returns the module with its one
// entry. The error joins every mistake made on the way, each with its Go line,
// or else what ptx.Verify has to add. A word used after Module is a mistake
// too; a second call of Module returns the same module, or that mistake.
func (k *Kernel) Module() (*ptx.Module, error) {
	if !k.done {
		k.finish()
	}
	if len(k.errs) > 0 {
		return nil, fmt.Errorf("kernel %s cannot be recorded:\n%w", k.name, errors.Join(k.errs...))
	}
	return k.module, nil
}

func (k *Kernel) finish() {
	k.done = true
	k.checkShared()
	if len(k.errs) > 0 {
		return
	}
	k.fn.Directives = k.directives()
	k.fn.Body = &ptx.Block{Stmts: append(k.prologue(), k.body.Stmts...)}
	k.fn.Body.Stmts = append(k.fn.Body.Stmts, &ptx.Instr{Op: "ret", Src: k.last})
	k.module = &ptx.Module{Version: k.isa, Target: []string{"sm_90a"}, AddressSize: 64, Files: k.files}
	if k.sharedBytes > 0 {
		k.module.Decls = append(k.module.Decls, &ptx.Var{
			Linkage: "extern", Space: ptx.Shared, Align: sharedAlign, Type: "b8",
			Name: sharedSymbol, Dims: []int{0},
		})
	}
	k.module.Decls = append(k.module.Decls, k.fn)
	for _, problem := range ptx.Verify(k.module) {
		k.note(problem)
	}
}

// prologue declares the registers and fetches the shared base address, which
// every tile and barrier is reached from.
func (k *Kernel) prologue() []ptx.Stmt {
	stmts := k.registers()
	if k.sharedBytes > 0 {
		stmts = append(stmts, &ptx.Instr{
			Op: "mov", Mods: []string{"u32"}, Args: []ptx.Operand{regOp(sharedReg), ptx.Sym{Name: sharedSymbol}},
		})
	}
	return stmts
}

func (k *Kernel) directives() []ptx.Directive {
	var d []ptx.Directive
	if k.cluster > 1 {
		d = append(d,
			ptx.Directive{Name: "explicitcluster"},
			ptx.Directive{Name: "reqnctapercluster", Values: []int{k.cluster, 1, 1}})
	}
	return append(d,
		ptx.Directive{Name: "maxntid", Values: []int{k.threads, 1, 1}},
		ptx.Directive{Name: "minnctapersm", Values: []int{1}})
}

// needs raises the PTX ISA version that the module declares.
func (k *Kernel) needs(major, minor int) {
	if v := (ptx.Version{Major: major, Minor: minor}); k.isa.Less(v) {
		k.isa = v
	}
}
