package hopper_test

import (
	"fmt"
	"strings"

	"gohopper/pkg/hopper"
	"gohopper/pkg/hopper/ptx"
)

// A kernel is recorded by calling words in the order in which the machine is
// to execute them. Here one thread loads a tile and the CTA waits for it.
func Example() {
	k := hopper.New("load", hopper.Threads(128))
	a := k.TensorMap("a")
	tile, full := k.Shared(hopper.F16, 64, 64, hopper.Swizzle128B), k.Mbarrier()

	k.OneThread(func() {
		full.Init(1)
		k.FenceMbarrierInit()
		full.ArriveExpectTx(tile.Bytes())
		k.TMALoad(tile, a.At(0, k.BlockIdx(0).Mul(64)), full)
	})
	k.Sync()
	full.Wait(0)

	m, err := k.Module()
	if err != nil {
		fmt.Println(err)
		return
	}
	_, body, _ := strings.Cut(ptx.PrintBare(m), "%tid.x;\n")
	fmt.Print(body)
	// Output:
	// 	setp.eq.s32             %p0, %r0, 0;
	// 	@!%p0 bra               $endif_1;
	// 	mbarrier.init.shared::cta.b64 [%smem+8192], 1;
	// 	fence.mbarrier_init.release.cluster;
	// 	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%smem+8192], 8192;
	// 	mov.u32                 %r1, %ctaid.x;
	// 	mul.lo.s32              %r2, %r1, 64;
	// 	cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%smem], [%rd1, {0, %r2}], [%smem+8192];
	//
	// $endif_1:
	// 	bar.sync                0;
	//
	// $wait_2:
	// 	mbarrier.try_wait.parity.shared::cta.b64 %p1, [%smem+8192], 0;
	// 	@!%p1 bra               $wait_2;
	// 	ret;
	// }
}

// A mistake does not stop the recording. Module reports all of them, each with
// the line that made it.
func ExampleKernel_Module() {
	k := hopper.New("wrong")
	k.SharedRing(4, hopper.F16, 128, 128, hopper.Swizzle128B)
	k.WgmmaWait(8)
	_, err := k.Module()
	fmt.Println(err)
	// Output:
	// kernel wrong cannot be recorded:
	// hopper/example_test.go:58: a tile of 128 columns: with Swizzle128B a row is exactly 128 bytes, so 64 columns
	// hopper/example_test.go:59: WgmmaWait(8): 0 to 7 groups may stay in flight
}
