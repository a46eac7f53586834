// Package nsight asks Nsight Compute's command line, ncu, for the few numbers
// that say where a Hopper kernel's time goes, and reads its answer.
//
// It makes command lines and parses text. It must not know lessons, and starts
// no process.
package nsight

import "strings"

// Metric is a number to ask for.
type Metric struct {
	Name string `json:"metric"` // "dram__throughput.avg.pct_of_peak_sustained_elapsed"
	Says string `json:"says"`
}

// Metrics lists what is worth asking, in the order of a table. The names are
// those of Nsight Compute 2025 for compute capability 9.0; they drift from
// release to release, so Available keeps those that a release has.
//
// Occupancy is left out on purpose: a kernel with one CTA of 384 threads on each
// SM fills 12 of 64 warps at best, and the tensor pipe says how busy it is.
func Metrics() []Metric {
	return []Metric{
		{"gpu__time_duration.sum", "time"},
		{"sm__cycles_elapsed.max", "SM cycles"},
		{"gpc__cycles_elapsed.avg.per_second", "clock while it ran"},
		{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "tensor pipe busy, of all cycles"},
		{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "tensor pipe busy, of cycles with work"},
		{"sm__inst_executed_pipe_tensor_op_gmma.sum", "warpgroup products (HGMMA), warps' instructions"},
		{"sm__inst_executed_pipe_tensor_op_hmma.sum", "products through registers (HMMA)"},
		{"smsp__sass_inst_executed_op_tma_ld.sum", "TMA loads"},
		{"smsp__sass_inst_executed_op_tma_st.sum", "TMA stores"},
		{"l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum", "bytes from L2 into shared memory by TMA"},
		{"lts__t_sector_hit_rate.pct", "L2 sectors that hit"},
		{"dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM throughput, of its peak"},
		{"dram__bytes.sum", "bytes of DRAM traffic"},
	}
}

// base is a metric's name as ncu --query-metrics lists it: without the roll-up.
func (m Metric) base() string {
	name, _, _ := strings.Cut(m.Name, ".")
	return name
}

// Query is the arguments that make ncu list the names it knows for Hopper.
func Query() []string { return []string{"--query-metrics", "--chip", "gh100"} }

// Available keeps the metrics that the answer to Query lists, and returns the
// others apart.
func Available(metrics []Metric, listing string) (known, unknown []Metric) {
	names := map[string]bool{}
	for line := range strings.Lines(listing) {
		if fields := strings.Fields(line); len(fields) > 0 {
			names[fields[0]] = true
		}
	}
	for _, m := range metrics {
		if names[m.base()] {
			known = append(known, m)
		} else {
			unknown = append(unknown, m)
		}
	}
	return known, unknown
}

// Arguments is ncu's command line before the program: one launch of the kernel,
// after two that warm up, with the table written to log. The clock is left
// alone, as in every other measurement here; ncu would lower it.
func Arguments(kernel string, metrics []Metric, log string) []string {
	var names []string
	for _, m := range metrics {
		names = append(names, m.Name)
	}
	return []string{
		"--kernel-name", kernel, "--launch-skip", "2", "--launch-count", "1",
		"--clock-control", "none", "--metrics", strings.Join(names, ","),
		"--csv", "--print-units", "base", "--log-file", log,
	}
}
