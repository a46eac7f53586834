package cuda

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
)

// Status is what the file system tells about this machine's GPUs. It needs no
// driver call, so a program built without the tag can say that it should have
// been built with it.
type Status struct {
	Built   bool     // this program can open a GPU
	Driver  string   // version of the kernel driver, "" where it does not say
	Library string   // path of libcuda.so.1 in the usual folders, "" if none
	Nodes   []string // device files: "/dev/nvidia0", …
	Models  []string // "NVIDIA H200", one for each GPU, where the driver says
}

// Probe looks for an NVIDIA driver and GPUs. It opens nothing and cannot fail.
func Probe() Status {
	s := probe(os.DirFS("/"))
	s.Built = built
	return s
}

// libraryFolders is where drivers and container runtimes put libcuda.so.1.
var libraryFolders = [...]string{
	"usr/lib/x86_64-linux-gnu",
	"usr/lib/aarch64-linux-gnu",
	"usr/lib64",
	"usr/lib",
	"usr/local/nvidia/lib64",
	"usr/local/nvidia/lib",
	"usr/local/cuda/compat",
	"usr/lib/wsl/lib",
}

var (
	versionLine = regexp.MustCompile(`NVRM version:.*?\s(\d+\.\d+(?:\.\d+)?)\s`)
	modelLine   = regexp.MustCompile(`(?m)^Model:\s*(.+?)\s*$`)
	hopperName  = regexp.MustCompile(`\b(H20|H100|H200|H800|GH200)\b`)
)

func probe(root fs.FS) Status {
	var s Status
	for _, dir := range libraryFolders {
		name := path.Join(dir, "libcuda.so.1")
		if _, err := fs.Stat(root, name); err == nil {
			s.Library = "/" + name
			break
		}
	}
	if text, err := fs.ReadFile(root, "proc/driver/nvidia/version"); err == nil {
		if m := versionLine.FindSubmatch(text); m != nil {
			s.Driver = string(m[1])
		}
	}
	// Glob fails only on a malformed pattern.
	nodes, _ := fs.Glob(root, "dev/nvidia[0-9]*")
	for _, n := range nodes {
		s.Nodes = append(s.Nodes, "/"+n)
	}
	if _, err := fs.Stat(root, "dev/dxg"); err == nil {
		s.Nodes = append(s.Nodes, "/dev/dxg") // Windows Subsystem for Linux
	}
	cards, _ := fs.Glob(root, "proc/driver/nvidia/gpus/*/information")
	for _, c := range cards {
		text, err := fs.ReadFile(root, c)
		if err != nil {
			continue
		}
		if m := modelLine.FindSubmatch(text); m != nil {
			s.Models = append(s.Models, string(m[1]))
		}
	}
	return s
}

// GPU reports whether the machine has a GPU that kernels could run on: a
// device file, and no model name that says otherwise.
func (s Status) GPU() bool {
	if len(s.Nodes) == 0 {
		return false
	}
	if len(s.Models) == 0 {
		return true
	}
	for _, m := range s.Models {
		if hopperName.MatchString(m) {
			return true
		}
	}
	return false
}

// Err is nil where Open may be tried, and otherwise the reason why it would
// fail: ErrNoDriver, ErrNoDevice, ErrNotHopper, or ErrNotBuilt on a machine
// that has a GPU.
func (s Status) Err() error {
	switch {
	case len(s.Nodes) == 0 && s.Library == "" && s.Driver == "":
		return ErrNoDriver
	case len(s.Nodes) == 0:
		return ErrNoDevice
	case !s.GPU():
		return fmt.Errorf("%s: %w", strings.Join(s.Models, ", "), ErrNotHopper)
	case !s.Built:
		return fmt.Errorf("this machine has a GPU (%s), but %w", s.name(), ErrNotBuilt)
	}
	return nil
}

// name is the models, or the device files where the driver names no model.
func (s Status) name() string {
	if len(s.Models) > 0 {
		return strings.Join(s.Models, ", ")
	}
	return strings.Join(s.Nodes, ", ")
}
