package matrix

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// keptFormat begins every file of a kept reference and names its version.
const keptFormat = "gohopper reference 1\n"

// KeptReference is NewReference with a memory for several processes that
// multiply the same matrices: the answer is taken from a file in dir, or
// computed and left there.
//
// A file's name is the digest of the operands and the options, so other data
// never finds it. One that is not whole is computed anew and replaced. Where
// nothing can be written, every process computes its own.
func KeptReference(dir string, a, b *Matrix, o Options) (*Reference, error) {
	path := filepath.Join(dir, digest(a, b, o)+".reference")
	r, err := outline(a, b, o, fullProducts, fullElements)
	if err != nil {
		return nil, err
	}
	if r.read(path) == nil {
		return r, nil
	}
	r.compute()
	_ = r.keep(path) // it only saves time
	return r, nil
}

// digest names operands and options. Rows are hashed on all cores.
func digest(a, b *Matrix, o Options) string {
	sum := sha256.New()
	fmt.Fprintln(sum, keptFormat, o)
	for _, m := range []*Matrix{a, b} {
		rows := make([][sha256.Size]byte, m.Rows)
		parallel(m.Rows, func(i int) {
			n := m.Cols * m.Type.Size()
			rows[i] = sha256.Sum256(m.data[i*n:][:n])
		})
		fmt.Fprintln(sum, m.Rows, m.Cols, m.Type)
		for _, row := range rows {
			sum.Write(row[:])
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// keep writes the answer under another name first, so that no process finds
// half of it.
func (r *Reference) keep(path string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "*.writing")
	if err != nil {
		return fmt.Errorf("the reference product cannot be kept: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
			err = fmt.Errorf("the reference product cannot be kept in %s: %w", path, err)
		}
	}()
	w := bufio.NewWriter(file)
	w.WriteString(keptFormat)
	for _, values := range r.values() {
		writeFloats(w, *values)
	}
	return errors.Join(w.Flush(), file.Close(), os.Rename(file.Name(), path))
}

// read fills an outline with what keep wrote.
func (r *Reference) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	head := make([]byte, len(keptFormat))
	if _, err := io.ReadFull(in, head); err != nil || string(head) != keptFormat {
		return fmt.Errorf("%s is no kept reference", path)
	}
	for _, values := range r.values() {
		if *values, err = readFloats(in); err != nil {
			return fmt.Errorf("%s is not whole: %w", path, err)
		}
	}
	if !r.whole() {
		return fmt.Errorf("%s has too few or too many values", path)
	}
	return nil
}

// whole reports whether there is a value for everything that is looked at.
func (r *Reference) whole() bool {
	for _, p := range r.patches {
		if n := len(p.rows) * len(p.cols); len(p.sum) != n || len(p.mag) != n {
			return false
		}
	}
	s := r.screen
	return s == nil || len(s.project) == r.Shape.M*s.groups && len(s.spread) == s.groups && len(s.normA) == r.Shape.M && len(s.normB) == s.groups
}

// values is what costs time to compute.
func (r *Reference) values() []*[]float64 {
	var all []*[]float64
	for _, p := range r.patches {
		all = append(all, &p.sum, &p.mag)
	}
	if s := r.screen; s != nil {
		all = append(all, &s.project, &s.spread, &s.normA, &s.normB)
	}
	return all
}

// writeFloats writes a slice behind its length. A bufio.Writer keeps the first
// error for Flush.
func writeFloats(w *bufio.Writer, values []float64) {
	var chunk []byte
	chunk = binary.LittleEndian.AppendUint64(chunk, uint64(len(values)))
	w.Write(chunk)
	for len(values) > 0 {
		n := min(len(values), 4096)
		chunk, _ = binary.Append(chunk[:0], binary.LittleEndian, values[:n]) // floats have a size
		w.Write(chunk)
		values = values[n:]
	}
}

func readFloats(r io.Reader) ([]float64, error) {
	var n uint64
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return nil, err
	}
	const most = 1 << 31 // values: more is a damaged file
	if n > most {
		return nil, fmt.Errorf("%d values in one list", n)
	}
	values := make([]float64, n)
	chunk := make([]byte, 8*4096)
	for rest := values; len(rest) > 0; {
		part := rest[:min(len(rest), 4096)]
		if _, err := io.ReadFull(r, chunk[:8*len(part)]); err != nil {
			return nil, err
		}
		if _, err := binary.Decode(chunk, binary.LittleEndian, part); err != nil {
			return nil, err
		}
		rest = rest[len(part):]
	}
	return values, nil
}
