package cuda

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/ptx"
)

func TestProbe(t *testing.T) {
	const version = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.03  Release Build  (builder)  Mon Jan  1 00:00:00 UTC 2026\nGCC version:  gcc version 13.3.0\n"
	model := func(name string) string {
		return "Model: \t\t " + name + "\nIRQ:   \t\t 18\nGPU UUID: \t GPU-0\nBus Location: \t 0000:1b:00.0\n"
	}
	for _, c := range []struct {
		reason string
		files  map[string]string
		built  bool
		want   Status
		err    error
	}{
		{
			reason: "a laptop has nothing",
			err:    ErrNoDriver,
		},
		{
			reason: "an H200 and a program without the tag",
			files: map[string]string{
				"proc/driver/nvidia/version":                       version,
				"proc/driver/nvidia/gpus/0000:1b:00.0/information": model("NVIDIA H200"),
				"dev/nvidia0":                           "",
				"dev/nvidiactl":                         "",
				"usr/lib/x86_64-linux-gnu/libcuda.so.1": "",
			},
			want: Status{
				Driver: "580.159.03", Library: "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
				Nodes: []string{"/dev/nvidia0"}, Models: []string{"NVIDIA H200"},
			},
			err: ErrNotBuilt,
		},
		{
			reason: "an H100 and a program with it",
			files: map[string]string{
				"proc/driver/nvidia/gpus/0000:1b:00.0/information": model("NVIDIA H100 80GB HBM3"),
				"dev/nvidia0": "",
			},
			built: true,
			want:  Status{Built: true, Nodes: []string{"/dev/nvidia0"}, Models: []string{"NVIDIA H100 80GB HBM3"}},
		},
		{
			reason: "a container that shows the device file and no model",
			files:  map[string]string{"dev/nvidia3": "", "usr/local/nvidia/lib64/libcuda.so.1": ""},
			want:   Status{Library: "/usr/local/nvidia/lib64/libcuda.so.1", Nodes: []string{"/dev/nvidia3"}},
			err:    ErrNotBuilt,
		},
		{
			reason: "an older card, whose name contains another's",
			files: map[string]string{
				"proc/driver/nvidia/gpus/0000:1b:00.0/information": model("NVIDIA RTX H1000X"),
				"dev/nvidia0": "",
			},
			built: true,
			want:  Status{Built: true, Nodes: []string{"/dev/nvidia0"}, Models: []string{"NVIDIA RTX H1000X"}},
			err:   ErrNotHopper,
		},
		{
			reason: "a driver whose GPU is gone, or kept from the container",
			files:  map[string]string{"proc/driver/nvidia/version": version},
			want:   Status{Driver: "580.159.03"},
			err:    ErrNoDevice,
		},
	} {
		t.Run(c.reason, func(t *testing.T) {
			root := fstest.MapFS{}
			for name, text := range c.files {
				root[name] = &fstest.MapFile{Data: []byte(text)}
			}
			got := probe(root)
			got.Built = c.built
			assert.Equal(t, c.want, got)
			if c.err == nil {
				assert.NoError(t, got.Err())
			} else {
				require.ErrorIs(t, got.Err(), c.err)
			}
		})
	}
}

// TestErrorsSayWhatToDo holds that each reason is one line with advice.
func TestErrorsSayWhatToDo(t *testing.T) {
	for _, err := range []error{ErrNotBuilt, ErrNoDriver, ErrNoDevice, ErrOldDriver, ErrNotHopper} {
		assert.Contains(t, err.Error(), "-device emu", "there is always a way to go on")
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestNewestISA(t *testing.T) {
	for _, c := range []struct {
		cuda cudaVersion
		want ptx.Version
	}{
		{13020, ptx.Version{Major: 9, Minor: 0}}, // newer than the table: its last row
		{13000, ptx.Version{Major: 9, Minor: 0}},
		{12060, ptx.Version{Major: 8, Minor: 5}}, // 12.6 brought no PTX version
		{12070, ptx.Version{Major: 8, Minor: 6}},
		{11080, ptx.Version{Major: 7, Minor: 8}},
	} {
		assert.Equal(t, c.want, newestISA(c.cuda), "CUDA %v", c.cuda)
	}
	assert.Equal(t, "12.4", oldest.String())
}
