package tensortest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/emu/tensor"
)

const agreementFile = "testdata/agreement.json"

var agreementMeans = map[string]string{
	"elements":     "random elements of D that both machines computed",
	"equal":        "of those, the elements that have the same bits on both, NaNs included",
	"probes":       "elements of D with chosen operands that both machines computed",
	"probes_equal": "of those, the elements that have the same bits on both",
}

// compare runs instructions on a device and on the emulator's arithmetic,
// n elements with random operands and all probes, and says how many agree. It
// leaves agreement.json and a recording in a folder. It starts no instruction
// after the time that it is given.
func compare(d device.Device, list []instruction, seed uint64, n int, dir string, limit time.Duration, log io.Writer) error {
	start := time.Now()
	info := d.Info()
	date := start.UTC().Format("2006-01-02")
	f := figures{Date: date, Machine: machine{info.Name, info.Driver, info.CUDA}, Means: agreementMeans, Figures: map[string]map[string]int{}}
	f.About = fmt.Sprintf("Every instruction of package tensortest on the GPU and the emulator's arithmetic on the same operands. Random seed %d.", seed)
	r := recording{fmt.Sprintf("%s, driver %s, CUDA %s, %s", info.Name, info.Driver, info.CUDA, date), map[string][]uint32{}, map[string][][]uint32{}}
	for _, in := range list {
		if time.Since(start) > limit {
			return fmt.Errorf("no time left for %s and what follows", in)
		}
		began := time.Now()
		probes := in.probes()
		out, err := in.execute(d, in.probeTiles(probes))
		if err != nil {
			return err
		}
		count := map[string]int{"probes": len(probes)}
		for i, q := range probes {
			v := out[i/8][i%8*in.n+i%8]
			r.probes[in.String()] = append(r.probes[in.String()], v)
			if v == in.model.sum(in.a, in.b, in.d, q.a, q.b, q.c) {
				count["probes_equal"]++
			}
		}
		tiles := make([]tile, (n+in.outputs()-1)/in.outputs())
		equal := make([]int, len(tiles))
		parallel(len(tiles), func(i int) { tiles[i] = in.randomTile(seed, i) })
		if out, err = in.execute(d, tiles); err != nil {
			return err
		}
		wrong := make([]string, len(tiles))
		parallel(len(tiles), func(i int) {
			want := in.emulate(new(tensor.Scratch), tiles[i], in.rows()/tensor.StripRows)
			for at, v := range out[i] {
				if v == want[at] {
					equal[i]++
				} else {
					wrong[i] = fmt.Sprintf("seed %d, %s, tile %d, element %d: %x, emulator %x", seed, distributions[i%len(distributions)].name, i, at, v, want[at])
				}
			}
		})
		for i := range tiles {
			count["elements"] += len(out[i])
			count["equal"] += equal[i]
		}
		f.Figures[in.key()] = count
		fmt.Fprintf(log, "%s: probes %d/%d, random %d/%d (%v)\n", in, count["probes_equal"], count["probes"], count["equal"], count["elements"],
			time.Since(began).Round(time.Millisecond))
		shown := 0
		for _, w := range wrong {
			if w != "" && shown < 3 {
				fmt.Fprintln(log, "\t"+w)
				shown++
			}
		}
		tiles = make([]tile, in.recordedTiles())
		for i := range tiles {
			tiles[i] = in.randomTile(recordedSeed, i)
		}
		if out, err = in.execute(d, tiles); err != nil {
			return err
		}
		r.tiles[in.String()] = out
	}
	to, err := os.Create(filepath.Join(dir, filepath.Base(recordingFile)))
	if err != nil {
		return err
	}
	if err := r.write(to, list); err != nil {
		return err
	}
	if err := to.Close(); err != nil {
		return err
	}
	return f.write(filepath.Join(dir, filepath.Base(agreementFile)))
}

func parallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}
