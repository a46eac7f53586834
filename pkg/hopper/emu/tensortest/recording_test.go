package tensortest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// A recording is what a GPU computed: for every instruction D of each probe,
// and D of the first random tiles. Inputs are not in it, they can be drawn
// again. A random D is stored as its distance, in codes, from a sum in float64,
// which makes the file small and hides nothing.
type recording struct {
	about  string // device, driver, date
	probes map[string][]uint32
	tiles  map[string][][]uint32
}

const (
	recordingSchema = "gohopper tensor recording 1"
	recordedSeed    = 2
	recordedOutputs = 1 << 14 // of each instruction, at random
)

// recordedTiles is how many random tiles a recording has.
func (in instruction) recordedTiles() int { return recordedOutputs / in.outputs() }

// plain is a sum in float64 in the order of k, rounded to D.
func (in instruction) plain(t tile) []uint32 {
	d := make([]uint32, in.outputs())
	for i := range d {
		row, n := i/in.n, i%in.n
		sum := in.d.value(t.c[i])
		for k := range in.k {
			sum += float64(in.a.value(t.a[row*in.k+k]) * in.b.value(t.b[n*in.k+k]))
		}
		d[i] = in.d.rounded(sum)
	}
	return d
}

func (r recording) write(to io.Writer, list []instruction) error {
	z, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(z)
	fmt.Fprintf(w, "%s\n%s\n", recordingSchema, r.about)
	for _, in := range list {
		fmt.Fprintf(w, "%s %d\n", in, len(r.probes[in.String()]))
		if err := binary.Write(w, binary.LittleEndian, r.probes[in.String()]); err != nil {
			return err
		}
		for i, d := range r.tiles[in.String()] {
			for at, reference := range in.plain(in.randomTile(recordedSeed, i)) {
				if _, err := w.Write(binary.AppendVarint(nil, int64(d[at])-int64(reference))); err != nil {
					return err
				}
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return z.Close()
}

func readRecording(data []byte, list []instruction) (r recording, err error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return r, err
	}
	from := bufio.NewReader(z)
	line := func() string {
		s, e := from.ReadString('\n')
		if err == nil {
			err = e
		}
		return strings.TrimSuffix(s, "\n")
	}
	if schema := line(); schema != recordingSchema {
		return r, fmt.Errorf("the recording's first line is %q, not %q", schema, recordingSchema)
	}
	r = recording{line(), map[string][]uint32{}, map[string][][]uint32{}}
	for _, in := range list {
		probes := make([]uint32, len(in.probes()))
		want := fmt.Sprintf("%s %d", in, len(probes))
		if got := line(); got != want {
			return r, fmt.Errorf("the recording has %q where the probes are now %q: record again", got, want)
		}
		if err := binary.Read(from, binary.LittleEndian, probes); err != nil {
			return r, err
		}
		r.probes[in.String()] = probes
		for i := range in.recordedTiles() {
			d := in.plain(in.randomTile(recordedSeed, i))
			for at := range d {
				distance, err := binary.ReadVarint(from)
				if err != nil {
					return r, err
				}
				d[at] = uint32(int64(d[at]) + distance)
			}
			r.tiles[in.String()] = append(r.tiles[in.String()], d)
		}
	}
	if _, e := from.ReadByte(); e != io.EOF {
		return r, fmt.Errorf("the recording goes on behind the last instruction")
	}
	return r, err
}
