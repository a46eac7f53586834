package formtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/ptx"
)

// root is the repository's, from here.
const root = "../../../.."

// fullKernels is the instructions of the lessons and of the kernels that nvcc
// compiled, optimised: for each form the programs that have it.
func fullKernels(t *testing.T) map[string][]string {
	found := map[string][]string{}
	for _, pattern := range []string{"lessons/*/testdata/kernel.ptx", "pkg/hopper/emu/nvcctest/testdata/*.ptx"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".ptx")
			if strings.Contains(name, ".") || strings.HasPrefix(name, "refused") {
				continue // a build for a debugger; kernels that are to be refused
			}
			if name == "kernel" {
				name = filepath.Base(filepath.Dir(filepath.Dir(file)))
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			m, err := ptx.Parse(string(text))
			require.NoError(t, err, file)
			for _, d := range m.Decls {
				if f, ok := d.(*ptx.Func); ok && f.Body != nil {
					scan(f.Body, func(in *ptx.Instr) {
						if form := in.Name(); !slices.Contains(found[form], name) {
							found[form] = append(found[form], name)
						}
					})
				}
			}
		}
	}
	return found
}

func scan(b *ptx.Block, each func(*ptx.Instr)) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Instr:
			each(s)
		case *ptx.Block:
			scan(s, each)
		}
	}
}
