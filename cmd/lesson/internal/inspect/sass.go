package inspect

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	// "Function : name" of cuobjdump, ".text.name:" of nvdisasm.
	functionLine = regexp.MustCompile(`^\s*(?:Function : |\.text\.)([\w$.]+?):?\s*$`)
	// "/*00f0*/  @P0 BRA 0x200 ;": the guard is optional.
	instructionLine = regexp.MustCompile(`^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*(?:\.[A-Za-z0-9_]+)*)`)
	// " Function matmul_v6:" and "  REG:168 STACK:0 …" of cuobjdump.
	usageFunction = regexp.MustCompile(`^\s*Function ([\w$.]+):`)
	usageLine     = regexp.MustCompile(`REG:(\d+) STACK:(\d+)`)
)

// countSASS counts the instructions of each function of a disassembly, by name,
// and gives the names in their order.
func countSASS(text string) (order []string, code map[string]*Code) {
	code = map[string]*Code{}
	matters := Matters()
	var current *Code
	for line := range strings.Lines(text) {
		if m := functionLine.FindStringSubmatch(line); m != nil {
			current = newCode()
			order, code[m[1]] = append(order, m[1]), current
			continue
		}
		if m := instructionLine.FindStringSubmatch(line); m != nil && current != nil {
			current.add(strings.Split(m[1], "."), func(m Matter) []pattern { return m.sass }, matters)
		}
	}
	return order, code
}

// Build is what the assembler chose for a kernel.
type Build struct {
	Registers  int `json:"registers"`   // per thread, at launch
	StackBytes int `json:"stack_bytes"` // per thread, in local memory
}

// usage reads cuobjdump's list of resources, by function.
func usage(text string) map[string]Build {
	builds := map[string]Build{}
	name := ""
	for line := range strings.Lines(text) {
		if m := usageFunction.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if m := usageLine.FindStringSubmatch(line); m != nil && name != "" {
			builds[name] = Build{number(m[1]), number(m[2])}
		}
	}
	return builds
}

var (
	logFunction  = regexp.MustCompile(`(?:Compiling entry function|Function properties for) '?([\w$.]+?)'?(?: for .*)?$`)
	logStack     = regexp.MustCompile(`(\d+) bytes stack frame`)
	logRegisters = regexp.MustCompile(`Used (\d+) registers`)
	// "(C7510) Potential Performance Loss: …", "warning : …".
	logWarning = regexp.MustCompile(`\((C\d{4})\)|[Ww]arning\s*:`)
	logPrefix  = regexp.MustCompile(`^(ptxas\s*)?((info|warning)\s*:\s*)?`)
)

// readLog reads what ptxas -v says: the resources of each kernel, and warnings.
func readLog(text string) (builds map[string]Build, warnings []string) {
	builds = map[string]Build{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := logFunction.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		b := builds[name]
		if m := logStack.FindStringSubmatch(line); m != nil {
			b.StackBytes = number(m[1])
		}
		if m := logRegisters.FindStringSubmatch(line); m != nil {
			b.Registers = number(m[1])
		}
		builds[name] = b
		if logWarning.MatchString(line) {
			warnings = append(warnings, logPrefix.ReplaceAllString(line, ""))
		}
	}
	delete(builds, "")
	return builds, warnings
}

// number converts digits that a pattern has matched.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
