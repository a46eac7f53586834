package launch

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
)

// Buffer is what a launch left in a buffer.
type Buffer struct {
	Arg   int    `json:"arg"` // index; of the map that has the buffer, or of the buffer
	Type  string `json:"type"`
	Count int    `json:"count"` // elements
	// Changed is how many elements are not what they began as.
	Changed int `json:"changed"`
	// Digest is the 64-bit FNV-1a hash of the bytes.
	Digest string `json:"digest"`
	// First are the first elements; one that nobody wrote is "poison".
	First []string `json:"first"`
	// Differs are the seeds that left something else than the first seed.
	Differs []int64 `json:"differs"`
}

const (
	// mostLooked is the bytes of the largest buffer that is looked at; looking
	// takes as much memory again, twice.
	mostLooked = 16 << 20
	mostFirst  = 8 // elements
)

// held is a buffer on a device.
type held struct {
	*buffer
	arg    int
	at     device.Ptr
	before []byte // nil if it is too large to be looked at
}

// look reads the buffer.
func (h *held) look(on device.Device) ([]byte, error) {
	if h.size() > mostLooked {
		return nil, nil
	}
	data := make([]byte, h.size())
	return data, on.Download(data, h.at)
}

// result compares a buffer with what it began as; nil for one that is too large.
func (h *held) result(on device.Device) (*Buffer, error) {
	now, err := h.look(on)
	if err != nil || now == nil {
		return nil, err
	}
	hash := fnv.New64a()
	hash.Write(now)
	r := &Buffer{Arg: h.arg, Type: h.name, Count: h.count, Digest: fmt.Sprintf("%016x", hash.Sum64()), First: []string{}, Differs: []int64{}}
	size := h.element.bytes
	for i := range h.count {
		was, is := h.before[i*size:][:size], now[i*size:][:size]
		same := bytes.Equal(was, is)
		if !same {
			r.Changed++
		}
		switch {
		case i >= mostFirst:
		case same && h.fill == "poison":
			r.First = append(r.First, "poison")
		default:
			r.First = append(r.First, h.show(is))
		}
	}
	return r, nil
}

// show is an element as text.
func (e element) show(raw []byte) string {
	var bits uint64
	for i, b := range raw {
		bits |= uint64(b) << (8 * i)
	}
	switch {
	case e.name == "f64":
		return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
	case e.encode != nil:
		format, err := num.ParseFormat(e.name)
		if err != nil {
			return fmt.Sprintf("%#x", bits)
		}
		return strconv.FormatFloat(format.Decode(uint32(bits)), 'g', -1, 32)
	case e.signed:
		shift := 64 - 8*len(raw)
		return strconv.FormatInt(int64(bits)<<shift>>shift, 10)
	}
	return strconv.FormatUint(bits, 10)
}
