package inspect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gohopper/pkg/hopper/ptx"
)

// Kernel is what is known of one kernel or device function.
type Kernel struct {
	Name     string    `json:"name"`
	Entry    bool      `json:"entry"`
	Threads  int       `json:"threads,omitempty"` // per CTA, 0 if the PTX does not say
	PTX      *Code     `json:"ptx,omitempty"`
	Machine  *Code     `json:"machine_code,omitempty"`
	Build    *Build    `json:"build,omitempty"`
	Verdicts []Verdict `json:"verdicts"`
}

// Report is the inspection of one file.
type Report struct {
	Name      string    `json:"name"`
	Assembler string    `json:"assembler,omitempty"` // which made the machine code
	Kernels   []Kernel  `json:"kernels"`
	Verdicts  []Verdict `json:"verdicts"` // on the file as a whole
}

// Tools are the programs of the CUDA toolkit, by path; "" is one that is not
// there. One of the two disassemblers is enough.
type Tools struct {
	PTXAS, CUObjDump, NVDisasm string
	Run                        func(ctx context.Context, program string, args ...string) (string, error)
}

// missing says which program the machine code needs, "" for none.
func (t Tools) missing(haveCode bool) string {
	switch {
	case t.PTXAS == "" && !haveCode:
		return "ptxas"
	case t.CUObjDump == "" && t.NVDisasm == "":
		return "cuobjdump or nvdisasm"
	}
	return ""
}

// advice says where the programs come from.
const advice = "put it on PATH or give its folder with -tools DIR (pip install nvidia-cuda-nvcc nvidia-cuda-cuobjdump has both)"

// PTX inspects the text of a module. Where tools are missing the report says
// so and holds the PTX's part alone. WantWgmma says that every kernel is meant
// to multiply by WGMMA.
func PTX(ctx context.Context, name, text string, tools Tools, wantWgmma bool) (*Report, error) {
	m, err := ptx.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	r := &Report{Name: name, Kernels: CountPTX(m)}
	if len(r.Kernels) == 0 {
		return nil, fmt.Errorf("%s: it has no kernel", name)
	}
	if missing := tools.missing(false); missing != "" {
		r.note("the machine code was not looked at: there is no %s; %s", missing, advice)
	} else if err := r.assemble(ctx, text, architecture(m), tools); err != nil {
		return nil, err
	}
	r.judge(wantWgmma)
	return r, nil
}

// Cubin inspects machine code, the file at path.
func Cubin(ctx context.Context, path string, tools Tools, wantWgmma bool) (*Report, error) {
	if missing := tools.missing(true); missing != "" {
		return nil, fmt.Errorf("%s: there is no %s: %s", path, missing, advice)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	r := &Report{Name: path}
	if err := r.disassemble(ctx, path, tools); err != nil {
		return nil, err
	}
	if len(r.Kernels) == 0 {
		return nil, fmt.Errorf("%s: it has no machine code", path)
	}
	r.judge(wantWgmma)
	return r, nil
}

// assemble turns the PTX into machine code and adds what that tells.
func (r *Report) assemble(ctx context.Context, text, architecture string, tools Tools) error {
	dir, err := os.MkdirTemp("", "lesson")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	source, cubin := filepath.Join(dir, "kernel.ptx"), filepath.Join(dir, "kernel.cubin")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return err
	}
	log, err := tools.Run(ctx, tools.PTXAS, "-arch="+architecture, "-v", "-o", cubin, source)
	if err != nil {
		return fmt.Errorf("%s: ptxas refuses it: %w", r.Name, errors.Join(err, errors.New(strings.ReplaceAll(strings.TrimSpace(log), source, r.Name))))
	}
	r.Assembler = assembler(ctx, tools)
	builds, warnings := readLog(log)
	for _, w := range warnings {
		r.bad("ptxas: %s", w)
	}
	if err := r.disassemble(ctx, cubin, tools); err != nil {
		return err
	}
	r.resources(builds)
	return nil
}

// assembler is the version line of ptxas, shortened.
func assembler(ctx context.Context, tools Tools) string {
	out, err := tools.Run(ctx, tools.PTXAS, "--version")
	_, version, ok := strings.Cut(out, "release ")
	if err != nil || !ok {
		return "ptxas"
	}
	version, _, _ = strings.Cut(version, ",")
	return "ptxas of CUDA " + version
}

// disassemble adds the counts of the machine code in the file.
func (r *Report) disassemble(ctx context.Context, path string, tools Tools) error {
	program, flag := tools.CUObjDump, "-sass"
	if program == "" {
		program, flag = tools.NVDisasm, "-c"
	}
	text, err := tools.Run(ctx, program, flag, path)
	if err != nil {
		return fmt.Errorf("%s: %s cannot read it: %w: %s", r.Name, filepath.Base(program), err, firstLine(text))
	}
	order, code := countSASS(text)
	for _, name := range order {
		r.kernel(name).Machine = code[name]
	}
	if tools.CUObjDump != "" {
		if text, err := tools.Run(ctx, tools.CUObjDump, "-res-usage", path); err == nil {
			r.resources(usage(text))
		}
	}
	return nil
}

func (r *Report) resources(builds map[string]Build) {
	for i := range r.Kernels {
		if b, ok := builds[r.Kernels[i].Name]; ok {
			r.Kernels[i].Build = &b
		}
	}
}

// kernel finds a kernel by name and adds it if it is new.
func (r *Report) kernel(name string) *Kernel {
	for i := range r.Kernels {
		if r.Kernels[i].Name == name {
			return &r.Kernels[i]
		}
	}
	r.Kernels = append(r.Kernels, Kernel{Name: name, Entry: true})
	return &r.Kernels[len(r.Kernels)-1]
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
