//go:build cuda && cgo

package formtest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"

	"gohopper/pkg/hopper/device"
)

// mostKept is the longest output that is recorded byte for byte.
const mostKept = 256

func (m micro) result(out []byte, err error) result {
	r := result{Kernel: m.identity()}
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Digest = digest(out)
	if m.within != "" || len(out) <= mostKept {
		r.Out = out
	}
	return r
}

func newRecording(i device.Info, date string) recording {
	return recording{GPU: i.Name, Driver: i.Driver, CUDA: i.CUDA, Date: date, Tests: map[string]result{}}
}

// write compresses a value as JSON to a file.
func write(file string, v any) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	e := json.NewEncoder(z)
	e.SetIndent("", "")
	if err := e.Encode(v); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
