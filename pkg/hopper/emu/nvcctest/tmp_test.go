package nvcctest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"gohopper/pkg/hopper/emu"
)

func TestTmp(t *testing.T) {
	files, _ := filepath.Glob("/tmp/cw/o/*.ptx")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		begin := time.Now()
		m, err := emu.New(emu.Config{}).Load(string(b))
		fmt.Println(filepath.Base(f), time.Since(begin), err)
		if err != nil {
			continue
		}
		for _, k := range regexp.MustCompile(`(?m)^\.visible \.entry (\w+)`).FindAllStringSubmatch(string(b), -1) {
			if _, err := m.Kernel(k[1]); err != nil {
				fmt.Println("   ", k[1], err)
			}
		}
	}
}
