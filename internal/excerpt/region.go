package excerpt

import (
	"fmt"
	"os"
	"strings"
)

// The comments that begin and end a region, each on a line of its own and
// followed by the region's name.
const (
	beginMark = "//region "
	endMark   = "//endregion "
)

// Lines is a part of a file.
type Lines struct {
	Text  string // without the indentation that all its lines share; ends with a newline
	First int    // number of its first line in the file, from 1
}

// Region is the lines of a Go file between "//region name" and "//endregion
// name". The markers of regions inside it are left out.
func Region(path, name string) (Lines, error) {
	regions, err := Regions(path)
	if err != nil {
		return Lines{}, err
	}
	lines, ok := regions[name]
	if !ok {
		return Lines{}, fmt.Errorf("%s has no region %q: it has %s", path, name, list(regions))
	}
	return lines, nil
}

// Regions is every region of a Go file by name. A marker without its partner,
// a name used twice, regions that overlap and an empty region are errors.
func Regions(path string) (map[string]Lines, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	type open struct {
		name  string
		line  int
		lines []string
		first int
	}
	var stack []*open
	found := map[string]Lines{}
	for i, line := range strings.Split(string(data), "\n") {
		mark := strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(mark, beginMark); ok {
			stack = append(stack, &open{name: name, line: i + 1})
			continue
		}
		if name, ok := strings.CutPrefix(mark, endMark); ok {
			if len(stack) == 0 || stack[len(stack)-1].name != name {
				return nil, fmt.Errorf("%s:%d: %s%s does not end the region that was opened last", path, i+1, endMark, name)
			}
			r := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if _, twice := found[name]; twice {
				return nil, fmt.Errorf("%s:%d: a second region %q: give each its own name", path, r.line, name)
			}
			if len(r.lines) == 0 {
				return nil, fmt.Errorf("%s:%d: region %q is empty", path, r.line, name)
			}
			found[name] = Lines{Text: outdent(r.lines), First: r.first}
			continue
		}
		for _, r := range stack {
			if len(r.lines) == 0 {
				r.first = i + 1
			}
			r.lines = append(r.lines, line)
		}
	}
	if len(stack) > 0 {
		return nil, fmt.Errorf("%s:%d: region %q has no end: write %s%s", path, stack[0].line, stack[0].name, endMark, stack[0].name)
	}
	return found, nil
}

// outdent removes the leading tabs that all lines with text share.
func outdent(lines []string) string {
	shared := -1
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if tabs := len(l) - len(strings.TrimLeft(l, "\t")); shared < 0 || tabs < shared {
			shared = tabs
		}
	}
	var b strings.Builder
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			b.WriteString(l[shared:])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
