package hopper

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// newMistake is a mistake in beginning a kernel.
type newMistake struct {
	reason, kernel string
	option         Option
	want           string
}

func newMistakes() []newMistake {
	return []newMistake{
		{"no thread", "k", Threads(0), "Threads(0): a CTA has 32 to 1024 threads, in whole warps of 32"},
		{"half a warp", "k", Threads(144), "Threads(144): a CTA has 32 to 1024 threads, in whole warps of 32"},
		{"more than a CTA", "k", Threads(1056), "Threads(1056): a CTA has 32 to 1024 threads, in whole warps of 32"},
		{"no CTA", "k", Cluster(0), "Cluster(0): a cluster has 1 to 8 CTAs; 8 is the most that every Hopper GPU can place"},
		{"not portable", "k", Cluster(16), "Cluster(16): a cluster has 1 to 8 CTAs; 8 is the most that every Hopper GPU can place"},
		{"no name", "", Threads(128), "the kernel has no name; give it one"},
		{"a name with a dash", "mat-mul", Threads(128), `kernel name "mat-mul": PTX names begin with a letter and go on with letters, digits and underscores`},
		{"the shared symbol", "smem", Threads(128), `kernel name "smem": that is the dynamic shared memory; choose another`},
	}
}

// TestMistakesOfNew: New returns no error, so Module reports them.
func TestMistakesOfNew(t *testing.T) {
	for _, c := range newMistakes() {
		t.Run(c.reason, func(t *testing.T) {
			k, line := New(c.kernel, c.option), here()
			_, err := k.Module()
			assert.EqualError(t, err, "kernel "+c.kernel+" cannot be recorded:\n"+line+": "+c.want)
		})
	}
}

func kernelMistakes() []mistake {
	return []mistake{
		{name: "a kernel's own rule",
			call: func(k *Kernel) string { k.Require(false, "%d columns: not a multiple of %d", 7, 8); return here() },
			want: "7 columns: not a multiple of 8"},
		{name: "a parameter twice",
			call: func(k *Kernel) string { k.Int32("n"); k.TensorMap("n"); return here() },
			want: `parameter "n" is declared twice; give each its own name`},
		{name: "a parameter without a name",
			call: func(k *Kernel) string { k.Int32(""); return here() },
			want: "the parameter has no name; give it one"},
		{name: "a parameter that starts with a digit",
			call: func(k *Kernel) string { k.Int32("2n"); return here() },
			want: `parameter name "2n": PTX names begin with a letter and go on with letters, digits and underscores`},
		{name: "a parameter that is not ASCII",
			call: func(k *Kernel) string { k.TensorMap("größe"); return here() },
			want: `parameter name "größe": PTX names begin with a letter and go on with letters, digits and underscores`},
		{name: "a parameter that hides the shared memory",
			call: func(k *Kernel) string { k.Int32("smem"); return here() },
			want: `parameter name "smem": that is the dynamic shared memory; choose another`},
		{name: "a parameter that PTX knows",
			call: func(k *Kernel) string { k.Int32("WARP_SZ"); return here() },
			want: `parameter name "WARP_SZ": PTX has a constant of that name; choose another`},
		{name: "a word after Module",
			call: func(k *Kernel) string { _, _ = k.Module(); k.Sync(); return here() },
			want: "a word after Module: the recording has ended, so this is not in the module; move it before the call"},
		{name: "a fourth dimension",
			call: func(k *Kernel) string { k.BlockIdx(3); return here() },
			want: "dimension 3: a grid has dimensions 0, 1 and 2"},

		{name: "setmaxnreg below the least",
			call: func(k *Kernel) string { k.SetMaxRegDec(16); return here() },
			want: "SetMaxRegDec(16): a thread has 24 to 256 registers, in steps of 8"},
		{name: "setmaxnreg between the steps",
			call: func(k *Kernel) string { k.SetMaxRegInc(236); return here() },
			want: "SetMaxRegInc(236): a thread has 24 to 256 registers, in steps of 8"},
		{name: "setmaxnreg above the most",
			call: func(k *Kernel) string { k.SetMaxRegInc(264); return here() },
			want: "SetMaxRegInc(264): a thread has 24 to 256 registers, in steps of 8"},

		{name: "the barrier of Sync",
			call: func(k *Kernel) string { k.SyncThreads(0, 128); return here() },
			want: "SyncThreads on barrier 0: 1 to 15 are free, 0 is Sync"},
		{name: "a seventeenth barrier",
			call: func(k *Kernel) string { k.SyncThreads(16, 128); return here() },
			want: "SyncThreads on barrier 16: 1 to 15 are free, 0 is Sync"},
		{name: "a barrier for half a warp",
			call: func(k *Kernel) string { k.SyncThreads(1, 48); return here() },
			want: "SyncThreads of 48 threads: whole warps of 32, at most the CTA's 128"},
		{name: "a barrier for more threads than there are",
			call: func(k *Kernel) string { k.SyncThreads(1, 256); return here() },
			want: "SyncThreads of 256 threads: whole warps of 32, at most the CTA's 128"},

		{name: "breaking out of a recorded loop",
			call: func(k *Kernel) (line string) {
				for range k.Range(0, 4, 1) { // the loop is to blame
					line = here()
					break
				}
				return previous(line, 1)
			},
			want: "a recorded loop is left by break or return; its body is recorded once, so use k.If inside it instead"},
		{name: "returning out of a recorded loop",
			call: func(k *Kernel) (line string) {
				func() {
					for range k.Range(0, 4, 1) { // the loop is to blame
						line = here()
						return
					}
				}()
				return previous(line, 1)
			},
			want: "a recorded loop is left by break or return; its body is recorded once, so use k.If inside it instead"},
		{name: "a loop that stands still",
			call: func(k *Kernel) (line string) {
				for range k.Range(0, 4, 0) {
					line = here()
				}
				return previous(line, 1)
			},
			want: "Range with a step of 0 would not end; a step is at least 1"},
		{name: "a loop that goes down",
			call: func(k *Kernel) (line string) {
				for range k.Range(4, 0, -1) {
					line = here()
				}
				return previous(line, 1)
			},
			want: "Range with a step of -1 would not end; a step is at least 1"},
		{name: "a raster without width",
			call: func(k *Kernel) string { n := k.Int32("n"); k.GroupedRaster(n, n, n, 0); return here() },
			want: "a raster group of 0 columns: it needs at least 1"},
	}
}
