package machine

import (
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Headers is a folder with NVIDIA's cuda.h.
type Headers struct {
	Dir     string // "" if there is none
	Version int    // CUDA_VERSION: 13000 is CUDA 13.0
}

// toolkits are the folders in which CUDA is usually installed.
var toolkits = [...]string{"/usr/local/cuda", "/usr/local/cuda-1[2-9]*", "/opt/cuda"}

var versionLine = regexp.MustCompile(`(?m)^#define\s+CUDA_VERSION\s+(\d+)`)

// Headers finds cuda.h where a build with cgo would: the flags and variables
// that the compiler reads, then the usual folders.
func (m Machine) Headers() Headers {
	dirs := flagged(m.Env("CGO_CFLAGS"), "-I")
	dirs = append(dirs, filepath.SplitList(m.Env("CPATH"))...)
	dirs = append(dirs, filepath.SplitList(m.Env("C_INCLUDE_PATH"))...)
	for _, kit := range m.kits() {
		dirs = append(dirs, path.Join(kit, "include"))
	}
	for _, dir := range append(dirs, "/usr/include") {
		dir = m.Abs(dir)
		text, err := m.Read(path.Join(dir, "cuda.h"))
		if err != nil {
			continue
		}
		// The header that this project puts before NVIDIA's has no version.
		if v := versionLine.FindSubmatch(text); v != nil {
			version, _ := strconv.Atoi(string(v[1])) // digits
			return Headers{dir, version}
		}
	}
	return Headers{}
}

// DriverLink finds the folder of libcuda.so, which the linker wants for -lcuda.
// It is "" if there is none; libcuda.so.1 alone does not help the linker.
func (m Machine) DriverLink() string {
	dirs := flagged(m.Env("CGO_LDFLAGS"), "-L")
	dirs = append(dirs, filepath.SplitList(m.Env("LIBRARY_PATH"))...)
	for _, kit := range m.kits() {
		for _, lib := range []string{"lib64/stubs", "lib/stubs", "lib64", "lib"} {
			dirs = append(dirs, path.Join(kit, lib))
		}
	}
	return m.withFile("libcuda.so", append(dirs, systemLibraries[:]...))
}

// systemLibraries are the folders of libraries outside of a toolkit.
var systemLibraries = [...]string{
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
	"/usr/local/nvidia/lib64", "/usr/lib/wsl/lib",
}

// pythonLibraries are the folders of NVIDIA's wheels, below site-packages.
var pythonLibraries = [...]string{
	"/usr/lib/python3*/*-packages/nvidia/", "/usr/local/lib/python3*/*-packages/nvidia/",
	"/opt/*/lib/python3*/site-packages/nvidia/", "/opt/*/.venv/lib/python3*/site-packages/nvidia/",
}

// Library finds the folder of a shared library, by the names it may have, or
// returns "". Wheels are the names that the folder may have among NVIDIA's
// Python packages.
func (m Machine) Library(names, wheels []string) string {
	dirs := filepath.SplitList(m.Env("LD_LIBRARY_PATH"))
	for _, kit := range m.kits() {
		dirs = append(dirs, path.Join(kit, "lib64"))
	}
	dirs = append(dirs, systemLibraries[:]...)
	for _, python := range append([]string{m.Abs(".venv/lib") + "/python3*/site-packages/nvidia/"}, pythonLibraries[:]...) {
		for _, wheel := range wheels {
			dirs = append(dirs, m.Folders(python+wheel+"/lib")...)
		}
	}
	for _, name := range names {
		if dir := m.withFile(name, dirs); dir != "" {
			return dir
		}
	}
	return ""
}

// Tool finds a program of the CUDA toolkit: in the given folder, if it is not
// "", then on PATH, then in the usual folders.
func (m Machine) Tool(name, folder string) string {
	if folder != "" {
		if found := m.Program(name, folder); found != "" {
			return found
		}
	}
	if found := m.Program(name); found != "" {
		return found
	}
	patterns := []string{"/opt/nvidia/nsight-compute/*"} // for ncu
	for _, kit := range m.kits() {
		patterns = append(patterns, path.Join(kit, "bin"), path.Join(kit, "nsight-compute*"))
	}
	for _, pattern := range patterns {
		if found := m.Program(name, m.Folders(pattern)...); found != "" {
			return found
		}
	}
	return ""
}

// Compiler finds the C compiler that cgo would use.
func (m Machine) Compiler() string {
	if cc, _, _ := strings.Cut(m.Env("CC"), " "); cc != "" {
		if path.IsAbs(cc) && m.Exists(cc) {
			return cc
		}
		return m.Program(cc)
	}
	if gcc := m.Program("gcc"); gcc != "" {
		return gcc
	}
	return m.Program("clang")
}

// kits lists the folders of CUDA toolkits, the one that is asked for first.
func (m Machine) kits() []string {
	var dirs []string
	for _, key := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if dir := m.Env(key); dir != "" {
			dirs = append(dirs, m.Abs(dir))
		}
	}
	for _, pattern := range toolkits {
		dirs = append(dirs, m.Folders(pattern)...)
	}
	return dirs
}

func (m Machine) withFile(name string, dirs []string) string {
	for _, dir := range dirs {
		if dir != "" && m.Exists(path.Join(m.Abs(dir), name)) {
			return m.Abs(dir)
		}
	}
	return ""
}

// flagged lists the values of a compiler's flag, as in "-I/a -I /b".
func flagged(flags, flag string) []string {
	var values []string
	words := strings.Fields(flags)
	for i, word := range words {
		value, ok := strings.CutPrefix(word, flag)
		if ok && value == "" && i+1 < len(words) {
			value = words[i+1]
		}
		if ok {
			values = append(values, value)
		}
	}
	return values
}
