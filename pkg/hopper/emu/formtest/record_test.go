package formtest

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// recordingFile is what a GPU gave, in testdata.
const recordingFile = "h200.json.gz"

// recording is the outputs of all micro-tests on a GPU.
type recording struct {
	GPU    string            `json:"gpu"`
	Driver string            `json:"driver"`
	CUDA   string            `json:"cuda"`
	Date   string            `json:"date"`
	Tests  map[string]result `json:"tests"` // by key
}

// result is one micro-test's output. Kernel identifies what ran, so that a
// test that has changed since is told from an emulator that has.
type result struct {
	Kernel string `json:"kernel"`
	Digest string `json:"digest,omitempty"`
	Out    []byte `json:"out,omitempty"`   // of approximations and short ones
	Error  string `json:"error,omitempty"` // the GPU refused it
}

func digest(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// identity is a digest of the kernel, its launch, its input and its maps.
func (m micro) identity() string {
	shape := fmt.Sprint(m.launch, m.out)
	if m.maps != nil {
		shape += fmt.Sprint(m.maps(1<<20, 1<<21))
	}
	return digest([]byte(m.text), []byte(shape), m.in, m.arg)[:8]
}

// readRecording reads the committed recording; the error wraps fs.ErrNotExist
// where there is none.
func readRecording() (r recording, err error) {
	f, err := testdata.Open("testdata/" + recordingFile)
	if err != nil {
		return r, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return r, err
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(b, &r)
}
