package main

import (
	"gohopper/internal/lab"
	"gohopper/internal/matrix"
	"gohopper/pkg/hopper"
)

// ablations are the claims that the text makes about V6, each as the kernel
// with one decision changed.
func ablations(t Tile, e lab.Elem, s matrix.Shape, sms int) []lab.Ablation {
	values := func(t Tile) map[string]int { return lab.Values(flags, t) }
	variant := func(name string, v Variant) lab.Case {
		p := plan(t, s, sms)
		if v.Alone {
			p.Grid[0] = min(lab.CeilDiv(s.M, t.M)*lab.CeilDiv(s.N, t.N), sms)
		}
		if v.DirectStore {
			p.BoxC = nil
		}
		return lab.Case{Name: name, Kernel: Ablated(t, e.Word, v), Plan: p, Tile: values(t)}
	}
	asIs := func(name string) lab.Case {
		return lab.Case{Name: name, Kernel: Kernel(t, e.Word), Plan: plan(t, s, sms), Tile: values(t)}
	}
	once := asIs("one tile per CTA")
	once.Plan.Grid[0] = cluster * lab.CeilDiv(s.M, cluster*t.M) * lab.CeilDiv(s.N, t.N)
	flat := t
	flat.Group = lab.CeilDiv(s.N, t.N)
	ungrouped := lab.Case{Name: "row by row", Kernel: Kernel(flat, e.Word), Plan: plan(flat, s, sms), Tile: values(flat)}
	long := asIs("100 iterations")
	long.Iterations = 100

	list := []lab.Ablation{
		{Name: "remote-arrive", Claim: "a remote arrive that releases at cluster scope makes the kernel twice as slow", Cases: []lab.Case{
			asIs("relaxed"), variant("release.cta", Variant{Order: hopper.ReleaseCTA}),
			variant("release.cluster", Variant{Order: hopper.ReleaseCluster})}},
		{Name: "branch-order", Claim: "with the producer's branch first the assembler serialises every WGMMA, which costs 5 %", Cases: []lab.Case{
			asIs("consumers first"), variant("producer first", Variant{ProducerFirst: true})}},
		{Name: "setmaxnreg", Claim: "at 168 registers the kernel spills 3.2 KB a thread and is five times slower", Cases: []lab.Case{
			asIs("40 and 232"), variant("168 for all", Variant{FixedRegisters: true})}},
		{Name: "cluster", Claim: "multicast cuts a CTA's operand traffic from 448 rows a stage to 288", Cases: []lab.Case{
			asIs("cluster of 2"), variant("no cluster", Variant{Alone: true})}},
		{Name: "persistence", Claim: "a persistent loop hides each tile's pipeline fill and epilogue", Cases: []lab.Case{
			asIs("persistent"), once}},
		{Name: "raster", Claim: "tiles in groups share operands in the L2 cache", Cases: []lab.Case{
			asIs("groups"), ungrouped}},
		{Name: "epilogue", Claim: "staging through shared memory for TMA stores beats stores from registers", Cases: []lab.Case{
			asIs("TMA store"), variant("from registers", Variant{DirectStore: true})}},
		{Name: "in-flight", Claim: "one group always in flight keeps the tensor cores busy", Cases: []lab.Case{
			asIs("wait_group 1"), variant("wait_group 0", Variant{WaitAll: true})}},
		{Name: "window", Claim: "at 100 timed iterations instead of 30 the card throttles part of the way", Cases: []lab.Case{
			asIs("30 iterations"), long}},
	}
	if e.Word == hopper.F16 {
		list = append(list, lab.Ablation{Name: "half",
			Claim: "f16 accumulation fits 256 x 256 and is faster, but the mean error rises from 0.00014 to 0.0023 and the largest to 0.047",
			Cases: []lab.Case{asIs("f32, 128 x 320"), {
				Name: "f16, 256 x 256", Kernel: HalfKernel(halfTile, e.Word), Inexact: true, Tile: values(halfTile),
				Plan: plan(halfTile, s, sms)}}})
	}
	return list
}
