package machine

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

// with is a machine with these files, all of them executable, and variables.
func with(files map[string]string, env map[string]string) Machine {
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o755}
	}
	return Machine{Root: root, Env: func(key string) string { return env[key] }, Dir: "/home/reader"}
}

const cuda13 = "#define CUDA_VERSION 13000\n"

func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		why   string
		files map[string]string
		env   map[string]string
		want  Headers
	}{
		{"a laptop", nil, nil, Headers{}},
		{"a toolkit", map[string]string{"usr/local/cuda/include/cuda.h": "/* x */\n" + cuda13}, nil, Headers{"/usr/local/cuda/include", 13000}},
		{"a toolkit of one release", map[string]string{"usr/local/cuda-12.4/include/cuda.h": "#define  CUDA_VERSION   12040\n"}, nil,
			Headers{"/usr/local/cuda-12.4/include", 12040}},
		{"too old to be looked for", map[string]string{"usr/local/cuda-11.8/include/cuda.h": "#define CUDA_VERSION 11080\n"}, nil, Headers{}},
		{"the project's own header is not NVIDIA's", map[string]string{"shim/cuda.h": "#include_next <cuda.h>\n", "nv/cuda.h": cuda13},
			map[string]string{"CGO_CFLAGS": "-O2 -I/shim -I /nv"}, Headers{"/nv", 13000}},
		{"what the user says comes first", map[string]string{"usr/local/cuda/include/cuda.h": cuda13, "home/reader/kit/include/cuda.h": "#define CUDA_VERSION 12090\n"},
			map[string]string{"CUDA_HOME": "kit"}, Headers{"/home/reader/kit/include", 12090}},
		{"CPATH", map[string]string{"nv/cuda.h": cuda13}, map[string]string{"CPATH": "/none:/nv"}, Headers{"/nv", 13000}},
	} {
		t.Run(c.why, func(t *testing.T) { assert.Equal(t, c.want, with(c.files, c.env).Headers()) })
	}
}

func TestDriverLink(t *testing.T) {
	for _, c := range []struct {
		why   string
		files []string
		env   map[string]string
		want  string
	}{
		{why: "a laptop"},
		{why: "a driver without the linker's name", files: []string{"usr/lib/x86_64-linux-gnu/libcuda.so.1"}},
		{why: "a driver's development package", files: []string{"usr/lib/x86_64-linux-gnu/libcuda.so"}, want: "/usr/lib/x86_64-linux-gnu"},
		{why: "a toolkit's stub", files: []string{"usr/local/cuda/lib64/stubs/libcuda.so"}, want: "/usr/local/cuda/lib64/stubs"},
		{why: "a flag", files: []string{"stub/libcuda.so"}, env: map[string]string{"CGO_LDFLAGS": "-L/stub"}, want: "/stub"},
	} {
		files := map[string]string{}
		for _, name := range c.files {
			files[name] = ""
		}
		assert.Equal(t, c.want, with(files, c.env).DriverLink(), c.why)
	}
}

func TestTool(t *testing.T) {
	m := with(map[string]string{
		"mine/ptxas": "", "usr/bin/ptxas": "", "usr/local/cuda/bin/nvdisasm": "", "opt/nvidia/nsight-compute/2025.3.0/ncu": "",
	}, map[string]string{"PATH": "/bin::/usr/bin"})
	assert.Equal(t, "/mine/ptxas", m.Tool("ptxas", "/mine"), "the folder that is given")
	assert.Equal(t, "/usr/bin/ptxas", m.Tool("ptxas", ""))
	assert.Equal(t, "/usr/local/cuda/bin/nvdisasm", m.Tool("nvdisasm", "/mine"), "a toolkit is found though it is not on PATH")
	assert.Equal(t, "/opt/nvidia/nsight-compute/2025.3.0/ncu", m.Tool("ncu", ""))
	assert.Empty(t, m.Tool("cuobjdump", ""))
}

func TestLibrary(t *testing.T) {
	names, wheels := []string{"libcublas.so.13", "libcublas.so.12"}, []string{"cu13", "cublas"}
	assert.Empty(t, with(nil, nil).Library(names, wheels))
	assert.Equal(t, "/usr/lib/python3.12/dist-packages/nvidia/cublas/lib",
		with(map[string]string{"usr/lib/python3.12/dist-packages/nvidia/cublas/lib/libcublas.so.12": ""}, nil).Library(names, wheels))
	assert.Equal(t, "/home/reader/.venv/lib/python3.12/site-packages/nvidia/cu13/lib",
		with(map[string]string{
			"home/reader/.venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublas.so.13": "",
			"usr/local/cuda/lib64/libcublas.so.12":                                           "",
		}, nil).Library(names, wheels), "the newest first")
}

func TestProgramMustBeExecutable(t *testing.T) {
	m := with(nil, map[string]string{"PATH": "/bin"})
	m.Root = fstest.MapFS{"bin/go": {Mode: 0o644}, "bin/gcc": {Mode: 0o755}}
	assert.Empty(t, m.Program("go"))
	assert.Equal(t, "/bin/gcc", m.Compiler())
}
