package policy

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// border is what a package may import, tests aside.
type border struct {
	may []string // packages of this module, or patterns of path.Match
	why string   // where that needs a reason
}

// borders is the import table. A key is a package's folder, or a pattern of
// path.Match; an exact key goes first. What is missing here may not exist.
var borders = map[string]border{
	"pkg/hopper/ptx": {},
	"pkg/hopper/num": {},
	"pkg/hopper":     {may: []string{"pkg/hopper/ptx"}},

	"pkg/hopper/event": {may: []string{"pkg/hopper/ptx"}},
	"pkg/hopper/sanitize/check": {may: []string{"pkg/hopper/device", "pkg/hopper/emu", "pkg/hopper/event", "pkg/hopper/sanitize"},
		why: "it joins the two"},
	"pkg/hopper/sanitize":          {may: []string{"pkg/hopper/ptx", "pkg/hopper/event"}},
	"pkg/hopper/trace":             {may: []string{"pkg/hopper/ptx", "pkg/hopper/event"}},
	"pkg/hopper/device":            {may: []string{"pkg/hopper/event"}, why: "a device that observes a kernel returns findings; PTX arrives as text"},
	"pkg/hopper/device/devicetest": {may: []string{"pkg/hopper/device"}},

	"pkg/hopper/emu/tensor": {may: []string{"pkg/hopper/num"}},
	"pkg/hopper/emu/tma":    {may: []string{"pkg/hopper/num", "pkg/hopper/device"}, why: "a tensor map's arguments are the device's"},
	"pkg/hopper/emu": {may: []string{"pkg/hopper/ptx", "pkg/hopper/num", "pkg/hopper/device", "pkg/hopper/event",
		"pkg/hopper/emu/tensor", "pkg/hopper/emu/tma"}},
	"pkg/hopper/emu/nvcctest":   {},
	"pkg/hopper/emu/tensortest": {},
	"pkg/hopper/emu/formtest":   {},
	"pkg/hopper/cuda":           {may: []string{"pkg/hopper/ptx", "pkg/hopper/device"}},

	"internal/matrix":  {may: []string{"pkg/hopper/num"}},
	"internal/output":  {},
	"internal/report":  {may: []string{"internal/output"}},
	"internal/excerpt": {may: []string{"internal/report"}, why: "prose quotes fields of reports"},
	"internal/launch": {may: []string{"pkg/hopper/device", "pkg/hopper/emu", "pkg/hopper/event", "pkg/hopper/num", "pkg/hopper/ptx", "pkg/hopper/sanitize"},
		why: "it runs PTX from anywhere on the emulator, within limits"},
	"internal/notebook": {may: []string{"internal/excerpt", "lessons"}},
	"internal/policy":   {},
	"internal/readme":   {},
	"internal/lab": {may: []string{"internal/matrix", "internal/output", "internal/report",
		"pkg/hopper", "pkg/hopper/cuda", "pkg/hopper/device", "pkg/hopper/emu", "pkg/hopper/event", "pkg/hopper/num", "pkg/hopper/ptx", "pkg/hopper/sanitize", "pkg/hopper/trace"}},
	"internal/lab/labtest": {may: []string{"internal/lab", "internal/matrix", "internal/report",
		"pkg/hopper", "pkg/hopper/cuda", "pkg/hopper/device", "pkg/hopper/emu", "pkg/hopper/num", "pkg/hopper/ptx", "pkg/hopper/sanitize"}},

	"lessons": {},
	"lessons/v0": {may: []string{"internal/lab", "internal/matrix", "pkg/hopper", "pkg/hopper/device", "pkg/hopper/ptx"},
		why: "V0 spells the host's part out"},
	"lessons/museum": {may: []string{"internal/matrix", "pkg/hopper", "pkg/hopper/device", "pkg/hopper/emu", "pkg/hopper/event", "pkg/hopper/num", "pkg/hopper/ptx", "pkg/hopper/sanitize"},
		why: "it runs kernels that are wrong on purpose, which the lab refuses to"},
	"lessons/*": {may: []string{"internal/lab", "internal/matrix", "pkg/hopper"}},

	"cmd/lesson": {may: []string{"lessons", "site", "plots", "internal/notebook", "internal/output", "internal/report", "internal/launch", "cmd/lesson/internal/*",
		"pkg/hopper/ptx", "pkg/hopper/device", "pkg/hopper/emu", "pkg/hopper/cuda"},
		why: "it runs lessons as processes; doctor tries the devices themselves"},
	"cmd/lesson/internal/bench": {may: []string{"internal/report"}},
	"cmd/lesson/internal/doctor": {may: []string{"cmd/lesson/internal/machine",
		"pkg/hopper", "pkg/hopper/cuda", "pkg/hopper/device", "pkg/hopper/num", "pkg/hopper/ptx"},
		why: "it runs a kernel of its own on each device"},
	"cmd/lesson/internal/inspect": {may: []string{"pkg/hopper/ptx"}},
	"cmd/lesson/internal/machine": {},
	"cmd/lesson/internal/nsight":  {},

	"plots":            {may: []string{"internal/report", "pkg/hopper/event", "lessons"}},
	"site/browsertest": {},
	"site/figures": {may: []string{"pkg/hopper", "pkg/hopper/device", "pkg/hopper/emu", "pkg/hopper/emu/tensor", "pkg/hopper/emu/tma", "pkg/hopper/event", "pkg/hopper/ptx"},
		why: "it is the program of a page, whose figures are computed by the packages that they show"},
	"site/playground": {may: []string{"internal/launch"}, why: "it is the program of a page, which runs PTX from anywhere"},
	"site":            {may: []string{"internal/excerpt", "internal/notebook", "internal/report", "lessons"}},
}

// outside is where packages of other modules may be imported.
var outside = map[string][]string{
	"C":                                {"pkg/hopper/cuda"},
	"gorgonia.org/cu":                  {"pkg/hopper/cuda"},
	"gonum.org/v1":                     {"plots"},
	"github.com/gomarkdown":            {"site"},
	"github.com/alecthomas/chroma":     {"site"},
	"github.com/aymanbagabas/go-udiff": {"cmd/lesson", "site"},
	"github.com/stretchr/testify":      testers,
	"testing":                          testers,
}

// testers is the packages that only tests import. Other packages may use the
// test libraries in test files alone.
var testers = []string{"pkg/hopper/device/devicetest", "internal/lab/labtest"}

// borderOf looks a package up in the table.
func borderOf(folder string) (border, bool) {
	if b, ok := borders[folder]; ok {
		return b, true
	}
	for pattern, b := range borders {
		if ok, _ := path.Match(pattern, folder); ok {
			return b, true
		}
	}
	return border{}, false
}

// allows reports whether a package of this module may be imported.
func (b border) allows(inside string) bool {
	return slices.ContainsFunc(b.may, func(pattern string) bool {
		ok, _ := path.Match(pattern, inside)
		return ok
	})
}

// badImports lists the imports of a file that the tables do not allow.
func badImports(f file) []string {
	var bad []string
	b, known := borderOf(f.folder())
	if !known {
		bad = append(bad, fmt.Sprintf("%s: package %s has no line in the import table of internal/policy: say there what it may import", f.path, f.folder()))
	}
	for _, spec := range f.syntax.Imports {
		name, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		at := fmt.Sprintf("%s:%d", f.path, f.line(spec))
		if inside, ok := strings.CutPrefix(name, module+"/"); ok {
			if known && !f.isTest() && !b.allows(inside) {
				bad = append(bad, fmt.Sprintf("%s: %s may not import %s; it may import %v %s", at, f.folder(), inside, b.may, b.why))
			}
			continue
		}
		if where, restricted := outsideOf(name); restricted && !f.isTest() && !slices.Contains(where, f.folder()) {
			bad = append(bad, fmt.Sprintf("%s: %s is for %v and tests", at, name, where))
		}
		if name == "C" && f.isTest() {
			bad = append(bad, at+": a test cannot use cgo")
		}
	}
	return bad
}

// outsideOf says where a package of another module may be imported, and
// whether it is restricted: all are, but for the standard library.
func outsideOf(name string) (where []string, restricted bool) {
	for prefix, where := range outside {
		if name == prefix || strings.HasPrefix(name, prefix+"/") {
			return where, true
		}
	}
	first, _, _ := strings.Cut(name, "/")
	return nil, strings.Contains(first, ".")
}
