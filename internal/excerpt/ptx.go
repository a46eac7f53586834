package excerpt

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Instruction is the first instruction of a PTX file with an opcode, with all
// its lines. The opcode may be given in part, up to one of its dots: "wgmma"
// or "wgmma.mma_async" finds "wgmma.mma_async.sync.aligned.m64n128k16…".
func Instruction(path, opcode string) (Lines, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Lines{}, err
	}
	lines := strings.Split(string(data), "\n")
	for i, line := range lines {
		if !begins(opcodeOf(line), opcode) {
			continue
		}
		last := i
		for last < len(lines)-1 && !strings.Contains(lines[last], ";") {
			last++
		}
		return Lines{Text: outdent(lines[i : last+1]), First: i + 1}, nil
	}
	return Lines{}, fmt.Errorf("%s has no instruction %s", path, opcode)
}

// opcodeOf is the opcode that a line of PTX begins with, after a guard; "" for
// a line that begins with something else.
func opcodeOf(line string) string {
	words := strings.Fields(line)
	if len(words) > 1 && strings.HasPrefix(words[0], "@") {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	return strings.TrimSuffix(words[0], ";")
}

// begins reports whether part is opcode, or its beginning up to a dot.
func begins(opcode, part string) bool {
	return part != "" && (opcode == part || strings.HasPrefix(opcode, part+"."))
}

// Count is how many instructions a golden count file has under an opcode,
// which may be given in part as for Instruction. Each line of the file is a
// number and an opcode.
func Count(path, opcode string) (int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	total := 0
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		words := strings.Fields(line)
		if len(words) != 2 {
			return 0, fmt.Errorf("%s:%d: %q is not a number and an opcode", path, i+1, line)
		}
		n, err := strconv.Atoi(words[0])
		if err != nil {
			return 0, fmt.Errorf("%s:%d: %q is not a number", path, i+1, words[0])
		}
		if begins(words[1], opcode) {
			total += n
		}
	}
	if total == 0 {
		return 0, fmt.Errorf("%s counts no %s", path, opcode)
	}
	return total, nil
}
