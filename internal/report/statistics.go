package report

import (
	"math"
	"slices"
)

// Range is a median and the extremes around it.
type Range struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// RangeOf is the range of at least one value.
func RangeOf(values []float64) Range {
	return Range{Median: Percentile(values, 50), Min: slices.Min(values), Max: slices.Max(values)}
}

// Percentile is the value below which p percent of at least one value lie,
// interpolated between the two nearest. The values need not be sorted.
func Percentile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := p / 100 * float64(len(sorted)-1)
	below := int(math.Floor(at))
	above := min(below+1, len(sorted)-1)
	// The conversion keeps every machine to two roundings, so that a summary
	// can be compared with the one in a file.
	return sorted[below] + float64((at-float64(below))*(sorted[above]-sorted[below]))
}

// Summary is what a result's timing comes to.
type Summary struct {
	TFLOPS  Range  `json:"tflops"`
	Library *Range `json:"library_tflops,omitempty"` // of both series beside ours
	// Ratio pairs each sample of ours with the mean time of the library's
	// samples of the same number before and after it.
	Ratio *Range `json:"ratio,omitempty"`
}

// Summarise derives the summary; nil without timing.
func (r Result) Summarise() *Summary {
	t := r.Timing
	if t == nil {
		return nil
	}
	rates := func(ms []float64) []float64 {
		out := make([]float64, len(ms))
		for i, v := range ms {
			out[i] = r.Shape.TFLOPS(v)
		}
		return out
	}
	s := &Summary{TFLOPS: RangeOf(rates(t.Ours.SamplesMS))}
	var library []float64
	ratios := make([]float64, len(t.Ours.SamplesMS))
	beside := t.beside()
	for _, series := range beside {
		library = append(library, rates(series.SamplesMS)...)
		for i := range ratios {
			ratios[i] += series.SamplesMS[i] / t.Ours.SamplesMS[i] / float64(len(beside))
		}
	}
	if len(beside) > 0 {
		of, ratio := RangeOf(library), RangeOf(ratios)
		s.Library, s.Ratio = &of, &ratio
	}
	return s
}

// beside lists the library's series that exist.
func (t *Timing) beside() []*Series {
	return slices.DeleteFunc([]*Series{t.LibraryBefore, t.LibraryAfter}, func(s *Series) bool { return s == nil })
}

// Combined is the same work in several fresh processes.
type Combined struct {
	Result            // the first process's; its Summary is not the combined one
	Processes int     // how many
	Verified  bool    // before and after, in every process
	Worst     float64 // of all verifications

	// Median and range of the processes' medians; of a single process, of its
	// samples. They are nil if a process was not timed, or had no library
	// beside it, and if a result was wrong: no speed without a right answer.
	TFLOPS, Library, Ratio *Range
}

// Combine groups results that differ only in process, date and measurement, in
// the order of their first appearance. The results must be valid.
func Combine(results []Result) []Combined {
	var order []string
	groups := map[string][]Result{}
	for _, r := range results {
		key := r.work()
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], r)
	}
	var out []Combined
	for _, key := range order {
		out = append(out, combine(groups[key]))
	}
	return out
}

func combine(group []Result) Combined {
	c := Combined{Result: group[0], Processes: len(group), Verified: true}
	var rates, library, ratios []Range
	for _, r := range group {
		c.Verified = c.Verified && r.Verified()
		c.Worst = max(c.Worst, r.Before.Worst)
		if r.After != nil {
			c.Worst = max(c.Worst, r.After.Worst)
		}
		if s := r.Summarise(); s != nil {
			rates = append(rates, s.TFLOPS)
			if s.Library != nil {
				library = append(library, *s.Library)
				ratios = append(ratios, *s.Ratio)
			}
		}
	}
	if c.Verified {
		c.TFLOPS, c.Library, c.Ratio = across(rates, len(group)), across(library, len(group)), across(ratios, len(group))
	}
	return c
}

// across is the range of the medians of n processes; nil if one gave none.
func across(ranges []Range, n int) *Range {
	if len(ranges) < n {
		return nil
	}
	if n == 1 {
		return &ranges[0]
	}
	medians := make([]float64, n)
	for i, r := range ranges {
		medians[i] = r.Median
	}
	r := RangeOf(medians)
	return &r
}

// Verified reports whether the result was right whenever it was compared.
func (r Result) Verified() bool {
	return r.Before.OK && (r.After == nil || r.After.OK)
}
