package doctor

import (
	"context"
	"fmt"
	"path"
	"strings"
)

// golang checks the go command and what it needs for cgo.
func (p Patient) golang(ctx context.Context) []Check {
	const advice = "install Go 1.26 or later from https://go.dev/dl"
	command := p.Machine.Program("go")
	if command == "" {
		return []Check{{"go", Missing, "", advice}, {"cgo", Missing, "", "comes with the go command; a build for the GPU needs it"}}
	}
	goCheck := Check{"go", OK, at(strings.TrimPrefix(p.ask(ctx, "go version", command, "version"), "go version "), command), ""}
	const need = "a build for the GPU needs it"
	enabled, compiler := p.ask(ctx, "", command, "env", "CGO_ENABLED"), p.Machine.Compiler()
	switch {
	case compiler == "":
		return []Check{goCheck, {"cgo", Missing, "", "no C compiler: install gcc; " + need}}
	case enabled == "0":
		return []Check{goCheck, {"cgo", Missing, compiler, "turned off by CGO_ENABLED=0; " + need}}
	}
	return []Check{goCheck, {"cgo", OK, compiler, ""}}
}

func (p Patient) headers() Check {
	h := p.Machine.Headers()
	switch {
	case h.Dir == "":
		return Check{"CUDA headers", Missing, "", "no cuda.h: install the toolkit's headers, or say CUDA_HOME=DIR where DIR/include holds it; a build for the GPU needs it"}
	case h.Version < 12040:
		return Check{"CUDA headers", Broken, fmt.Sprintf("CUDA %s in %s", release(h.Version), h.Dir), "12.4 or later is needed"}
	}
	return Check{"CUDA headers", OK, fmt.Sprintf("CUDA %s in %s", release(h.Version), h.Dir), ""}
}

// release writes CUDA_VERSION as people do: 13000 is 13.0.
func release(version int) string { return fmt.Sprintf("%d.%d", version/1000, version%1000/10) }

func (p Patient) link() Check {
	const name = "libcuda to link"
	if dir := p.Machine.DriverLink(); dir != "" {
		return Check{name, OK, path.Join(dir, "libcuda.so"), ""}
	}
	if p.GPU.Library != "" {
		return Check{name, OK, p.GPU.Library, "which lesson run links by itself; for go build, give it the name libcuda.so in a folder on LIBRARY_PATH"}
	}
	return Check{name, Missing, "", "no libcuda.so for -lcuda: the toolkit has a stub, in lib64/stubs; put its folder on LIBRARY_PATH"}
}

// tools checks NVIDIA's programs, each with its version.
func (p Patient) tools(ctx context.Context) []Check {
	var checks []Check
	for _, t := range []struct{ name, program, need string }{
		{"ptxas", "ptxas", "lesson inspect assembles with it: pip install nvidia-cuda-nvcc, or the CUDA toolkit"},
		{"cuobjdump", "cuobjdump", "lesson inspect disassembles with it: pip install nvidia-cuda-cuobjdump, or the CUDA toolkit"},
		{"nvdisasm", "nvdisasm", "stands in for cuobjdump: pip install nvidia-cuda-nvdisasm, or the CUDA toolkit"},
		{"Nsight Compute", "ncu", "lesson profile runs it: it comes with the CUDA toolkit"},
	} {
		file := p.Machine.Tool(t.program, p.Tools)
		if file == "" {
			checks = append(checks, Check{t.name, Missing, "", t.need})
			continue
		}
		version := p.ask(ctx, "ersion ", file, "--version") // "Version 2025.3.1.0", of ncu
		if line := p.ask(ctx, "release ", file, "--version"); line != "" {
			version = line
		}
		if _, after, ok := strings.Cut(version, ", "); ok { // "Cuda compilation tools, release 13.0, V13.0.88"
			version = after
		}
		checks = append(checks, Check{t.name, OK, at(version, file), ""})
	}
	return checks
}
