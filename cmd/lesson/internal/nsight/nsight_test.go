package nsight

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(text)
}

func TestAvailable(t *testing.T) {
	known, unknown := Available(Metrics(), file(t, "query.txt"))
	names := func(metrics []Metric) (all []string) {
		for _, m := range metrics {
			all = append(all, m.Name)
		}
		return all
	}
	assert.Equal(t, []string{
		"gpu__time_duration.sum", "sm__cycles_elapsed.max", "gpc__cycles_elapsed.avg.per_second",
		"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
		"sm__inst_executed_pipe_tensor_op_gmma.sum", "lts__t_sector_hit_rate.pct",
		"dram__throughput.avg.pct_of_peak_sustained_elapsed", "dram__bytes.sum",
	}, names(known), "in our order")
	assert.Len(t, unknown, len(Metrics())-len(known))

	known, _ = Available(Metrics(), "==ERROR== no such chip\n")
	assert.Empty(t, known)
}

func TestParse(t *testing.T) {
	values, err := Parse(file(t, "log.csv"), Metrics())
	require.NoError(t, err)
	var lines []string
	for _, v := range values {
		assert.Equal(t, "matmul_v6", v.Kernel)
		lines = append(lines, v.Says+": "+v.String())
	}
	assert.Equal(t, []string{
		"time: 1.466 ms",
		"clock while it ran: 1.4 GHz",
		"tensor pipe busy, of all cycles: 93.1 %",
		"L2 sectors that hit: 82.0 %",
		"DRAM throughput, of its peak: 17.5 %",
		"bytes of DRAM traffic: 1.23 GB",
	}, lines, "what ncu could not take and what was not asked for is left out")
}

func TestParseRefuses(t *testing.T) {
	const header = `"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"` + "\n"
	for _, c := range []struct{ why, log, want string }{
		{"no permission", "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", "run it as root"},
		{"an error of ncu", "==ERROR== Failed to open v6\n", "ncu: Failed to open v6"},
		{"no launch", "==PROF== Connected\n==WARNING== No kernels were profiled.\n", "ncu measured no launch of the kernel"},
		{"another form", `"ID","dram__bytes.sum"` + "\n", `no column "Kernel Name"`},
		{"a cut line", header + `"0","k"` + "\n", "ncu's table cannot be read"},
	} {
		t.Run(c.why, func(t *testing.T) {
			_, err := Parse(c.log, Metrics())
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		value float64
		unit  string
		want  string
	}{
		{12, "", "12"}, {1e9, "cycle", "1000000000"}, {512, "byte", "512 B"}, {4096, "byte", "4.1 kB"},
		{2.5e6, "ns", "2.500 ms"}, {1.98e9, "cycle/second", "1.98 GHz"}, {3e15, "byte", "3e+03 TB"}, {7, "sector", "7 sector"},
	} {
		assert.Equal(t, c.want, Value{Value: c.value, Unit: c.unit}.String())
	}
}

// TestArguments: the clock is left alone, and only one launch is replayed.
func TestArguments(t *testing.T) {
	line := strings.Join(Arguments("matmul_v6", Metrics()[:2], "/tmp/log"), " ")
	for _, want := range []string{"--kernel-name matmul_v6 ", "--clock-control none", "--launch-skip 2 --launch-count 1", "--metrics gpu__time_duration.sum,sm__cycles_elapsed.max", "--log-file /tmp/log"} {
		assert.Contains(t, line, want)
	}
}
