package hopper

// ClusterSync holds every thread of the cluster until all have arrived
// (barrier.cluster.arrive, which releases, and barrier.cluster.wait, which
// acquires; PTX 9.7.13.3). It stands before the first access to a peer's
// shared memory, so that the peer has started and its barriers exist, and at
// the end, so that no CTA is gone while a peer still reaches into it.
func (k *Kernel) ClusterSync() {
	k.inCluster("ClusterSync")
	k.byAll("ClusterSync", "cluster")
	k.emit("barrier.cluster.arrive")
	k.emit("barrier.cluster.wait")
}

// SetMaxRegDec gives registers of the executing warpgroup back to the CTA's
// pool, down to n for each thread, 24 to 256 in eights (setmaxnreg.dec, PTX
// 9.7.19.5). All its warps execute it. A thread starts with what Threads says;
// n is at most what it has.
func (k *Kernel) SetMaxRegDec(n int) { k.setMaxReg("SetMaxRegDec", "dec", n) }

// SetMaxRegInc takes registers from the CTA's pool, up to n for each thread of
// the executing warpgroup, 24 to 256 in eights, and waits until there are
// enough (setmaxnreg.inc, PTX 9.7.19.5). All its warps execute it. N is at
// least what a thread has; what the new registers hold is undefined.
func (k *Kernel) SetMaxRegInc(n int) { k.setMaxReg("SetMaxRegInc", "inc", n) }

func (k *Kernel) setMaxReg(word, how string, n int) {
	k.byWarpgroup(word)
	if n < 24 || n > 256 || n%8 != 0 {
		k.mistake("%s(%d): a thread has 24 to 256 registers, in steps of 8", word, n)
	}
	k.emit("setmaxnreg."+how+".sync.aligned.u32", intOp(n))
}

// GridWait holds each executing thread until the grids that this one depends
// on have finished and their writes are visible (griddepcontrol.wait, PTX
// 9.7.13.13). It returns at once in a grid that was launched without the
// programmatic-serialization attribute (device.Launch.Overlap).
func (k *Kernel) GridWait() { k.emit("griddepcontrol.wait") }

// GridRelease lets the grids that depend on this one begin to start, once
// every CTA has said so or has ended (griddepcontrol.launch_dependents, PTX
// 9.7.13.13). It promises nothing about memory: they still need GridWait.
func (k *Kernel) GridRelease() { k.emit("griddepcontrol.launch_dependents") }
