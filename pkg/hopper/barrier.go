package hopper

// Sync holds every thread of the CTA until all have arrived (bar.sync 0, PTX
// 9.7.13.1).
func (k *Kernel) Sync() {
	k.byAll("Sync", "CTA")
	k.emit("bar.sync", intOp(0))
}

// SyncThreads is the named barrier id, 1 to 15, among a number of threads, in
// whole warps (bar.sync id, threads; PTX 9.7.13.1). Each of those warps
// executes it. An Int chooses the barrier at run time.
func (k *Kernel) SyncThreads(id Number, threads int) {
	k.byAll("SyncThreads", "warp")
	if c, ok := id.(int); ok && (c < 1 || c > 15) {
		k.mistake("SyncThreads on barrier %d: 1 to 15 are free, 0 is Sync", c)
	}
	if threads < warpThreads || threads%warpThreads != 0 || threads > k.threads {
		k.mistake("SyncThreads of %d threads: whole warps of %d, at most the CTA's %d", threads, warpThreads, k.threads)
	}
	k.emit("bar.sync", k.number(id), intOp(threads))
}

// FenceProxyAsync orders the executing thread's ordinary shared-memory
// accesses before what the asynchronous proxy (TMA, WGMMA) does after the next
// barrier (fence.proxy.async.shared::cta, PTX 9.7.13.4). Each thread that
// wrote executes it, before that barrier.
func (k *Kernel) FenceProxyAsync() { k.emit("fence.proxy.async.shared::cta") }
