package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"gohopper/lessons"
)

// programs gets lessons as programs: built from the repository, or prebuilt.
type programs struct {
	call *call
	bin  string // -bin: a folder of prebuilt programs, "" to build
	tags string // -tags: "auto", "cuda" or "none"
	temp string // of what is built, "" before the first
}

// binFlag declares -bin.
func (p *programs) binFlag(fs *flag.FlagSet) {
	fs.StringVar(&p.bin, "bin", "", "run the programs of this `folder`, made by lesson build; neither Go nor the repository is needed")
}

// tagsFlag declares -tags.
func (p *programs) tagsFlag(fs *flag.FlagSet) {
	p.tags = "auto"
	fs.Func("tags", "build for the GPU (`cuda`), not for it (none), or auto: for it where there is one and the headers (default auto)", func(value string) error {
		switch value {
		case "auto", "cuda", "none":
			p.tags = value
			return nil
		}
		return errors.New("it is cuda, none or auto")
	})
}

// close removes what was built.
func (p *programs) close() {
	if p.temp != "" {
		os.RemoveAll(p.temp)
	}
}

// get returns the path of a lesson's program.
func (p *programs) get(l lessons.Lesson) (string, error) {
	if p.bin != "" {
		return p.prebuilt(l.Name)
	}
	src, err := p.call.source()
	if err != nil {
		return "", fmt.Errorf("%w, or give -bin DIR with prebuilt programs", err)
	}
	dir, err := p.folder()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, l.Name)
	if _, err := os.Stat(file); err == nil {
		return file, nil // built before
	}
	return file, p.build(src, "./"+l.Folder, file)
}

// folder is the temporary folder, made when it is first needed.
func (p *programs) folder() (string, error) {
	var err error
	if p.temp == "" {
		p.temp, err = os.MkdirTemp("", "lesson")
	}
	return p.temp, err
}

// prebuilt finds a program by name in the folder of -bin.
func (p *programs) prebuilt(name string) (string, error) {
	file := p.call.machine.Program(name, p.bin)
	if file == "" || filepath.Dir(file) != p.call.machine.Abs(p.bin) {
		return "", fmt.Errorf("there is no program %s in %s: lesson build -o %s makes it, on a machine with Go", name, p.bin, p.bin)
	}
	return file, nil
}

// source is what building needs.
type source struct {
	root  string // of the repository
	gobin string // the go command
}

func (c *call) source() (source, error) {
	root, err := c.root()
	if err != nil {
		return source{}, err
	}
	gobin := c.machine.Program("go")
	if gobin == "" {
		return source{}, errors.New("there is no go command on PATH: install Go from https://go.dev/dl")
	}
	return source{root, gobin}, nil
}

// build compiles one package of the repository to a file.
func (p *programs) build(src source, pkg, file string) error {
	cmd, err := p.goCommand(src, "build", "-o", file, pkg)
	if err != nil {
		return err
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s does not build: %w\n%s", strings.TrimPrefix(pkg, "./"), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// goCommand is a process of the go command at the root of the repository, with
// the tag if that is decided.
func (p *programs) goCommand(src source, verb string, args ...string) (*exec.Cmd, error) {
	tagged, env, err := p.environment(src.root)
	if err != nil {
		return nil, err
	}
	if tagged {
		args = append([]string{"-tags", "cuda"}, args...)
	}
	cmd := exec.CommandContext(p.call.ctx, src.gobin, append([]string{verb}, args...)...)
	cmd.Dir, cmd.Env = src.root, append(os.Environ(), env...)
	interruptible(cmd)
	return cmd, nil
}

// environment decides whether to build with the tag, and returns the variables
// of such a build: where the headers are, and what to link.
func (p *programs) environment(root string) (tagged bool, env []string, err error) {
	switch p.tags {
	case "none":
		return false, nil, nil
	case "auto":
		if !p.call.gpu.GPU() {
			return false, nil, nil
		}
	}
	env, err = p.cgo(root)
	if err != nil && p.tags == "auto" {
		fmt.Fprintf(p.call.stderr, "note: this machine has a GPU, but %v\nnote: building without it; lesson doctor says more\n", err)
		return false, nil, nil
	}
	return err == nil, env, err
}

// cgo is the variables of a build with the tag. The folder with the project's
// own cuda.h comes before NVIDIA's.
func (p *programs) cgo(root string) ([]string, error) {
	m := p.call.machine
	if m.Env("CGO_ENABLED") == "0" {
		return nil, errors.New("CGO_ENABLED=0 turns off cgo, which a build for the GPU needs: unset it")
	}
	if m.Compiler() == "" {
		return nil, errors.New("there is no C compiler, which a build for the GPU needs: install gcc")
	}
	headers := m.Headers()
	if headers.Dir == "" {
		return nil, errors.New("there is no cuda.h: install the CUDA toolkit's headers, or say CUDA_HOME=DIR where DIR/include holds it")
	}
	link := m.DriverLink()
	if link == "" {
		var err error
		if link, err = p.linkDriver(); err != nil {
			return nil, err
		}
	}
	cflags := m.Env("CGO_CFLAGS")
	if cflags == "" {
		cflags = "-g -O2" // what the go command uses when nothing is said
	}
	return []string{
		"CGO_ENABLED=1",
		fmt.Sprintf(`CGO_CFLAGS="-I%s" %s "-I%s"`, path.Join(root, "pkg/hopper/cuda/include"), cflags, headers.Dir),
		fmt.Sprintf(`CGO_LDFLAGS=%s "-L%s"`, m.Env("CGO_LDFLAGS"), link),
	}, nil
}

// linkDriver makes a folder in which the linker finds the driver's library
// under the name that it looks for.
func (p *programs) linkDriver() (string, error) {
	library := p.call.gpu.Library
	if library == "" {
		return "", errors.New("there is neither a driver nor a toolkit's stub of it to link against: set LIBRARY_PATH to a folder with libcuda.so")
	}
	dir, err := p.folder()
	if err != nil {
		return "", err
	}
	err = os.Symlink(library, filepath.Join(dir, "libcuda.so"))
	if err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	return dir, nil
}

// start makes a process of a program.
func (c *call) start(program string, args []string, stdout, stderr io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(c.ctx, program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin, stdout, stderr
	interruptible(cmd)
	return cmd
}

// interruptible has the end of its context interrupt a process, as a terminal
// would, and kill it only when it does not listen.
func interruptible(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
}

// through runs a program with this process's input and output. Its status
// becomes ours.
func (c *call) through(cmd *exec.Cmd) error {
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case c.ctx.Err() != nil:
		return errors.New("interrupted")
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exited(exit.ExitCode())
	}
	return err
}
