package formtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// compare says how two outputs differ, "" if they agree.
func (m micro) compare(emulated, real []byte) string {
	if m.within != "" {
		return m.approximately(emulated, real)
	}
	if bytes.Equal(emulated, real) {
		return ""
	}
	if m.scalar == nil {
		return differingWords(emulated, real)
	}
	var lines []string
	count := 0
	for c := range cases {
		differs := false
		for i := range m.scalar.results {
			at := 8 * (i*cases + c)
			differs = differs || !bytes.Equal(emulated[at:at+8], real[at:at+8])
		}
		if !differs {
			continue
		}
		count++
		if len(lines) < 4 {
			lines = append(lines, m.scalar.show(c, m.in, emulated, real))
		}
	}
	return fmt.Sprintf("%d of %d cases: %s", count, cases, strings.Join(lines, "; "))
}

// show is a case with its operands.
func (s *scalar) show(c int, in, emulated, real []byte) string {
	cell := func(b []byte, i int, typ string) string {
		v := binary.LittleEndian.Uint64(b[8*(i*cases+c):])
		digits := max(bitsOf(typ)/4, 1)
		if digits < 16 {
			v &= 1<<(4*digits) - 1
		}
		return fmt.Sprintf("%0*x", digits, v)
	}
	var from, e, r []string
	for i, typ := range s.sources {
		from = append(from, cell(in, i, typ))
	}
	for i, typ := range s.results {
		e, r = append(e, cell(emulated, i, typ)), append(r, cell(real, i, typ))
	}
	return fmt.Sprintf("(%s) emulator %s GPU %s", strings.Join(from, " "), strings.Join(e, " "), strings.Join(r, " "))
}

func differingWords(emulated, real []byte) string {
	var list []string
	n := 0
	for i := 0; i+4 <= len(emulated); i += 4 {
		if bytes.Equal(emulated[i:i+4], real[i:i+4]) {
			continue
		}
		if n++; n <= 6 {
			list = append(list, fmt.Sprintf("+%d emulator %08x GPU %08x", i, binary.LittleEndian.Uint32(emulated[i:]), binary.LittleEndian.Uint32(real[i:])))
		}
	}
	return fmt.Sprintf("%d of %d words: %s", n, len(emulated)/4, strings.Join(list, "; "))
}
