package tensortest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const evidenceFile = "testdata/evidence.json"

// exhibits are the instructions whose probes the page shows.
var exhibits = []string{
	"wgmma.m64n8k16.f32.f16.f16", "wgmma.m64n8k16.f32.bf16.bf16", "wgmma.m64n8k8.f32.tf32.tf32", "wgmma.m64n8k32.f32.e4m3.e4m3",
	"wgmma.m64n8k16.f16.f16.f16", "mma.m16n8k16.f32.f16.f16", "mma.m16n8k32.f32.e4m3.e4m3",
}

// variants are other models that one could believe in, each wrong in one thing.
var variants = []struct {
	figure, means string
	change        func(q *model, in instruction)
}{
	{"coarser", "if addends were cut one bit higher", func(q *model, _ instruction) { q.cut-- }},
	{"finer", "if addends were cut one bit lower", func(q *model, _ instruction) { q.cut++ }},
	{"shorter", "if the result had one bit less", func(q *model, _ instruction) { q.keep-- }},
	{"longer", "if the result had one bit more, where its type has room", func(q *model, in instruction) {
		if q.keep < in.d.fraction {
			q.keep++
		}
	}},
	{"halves", "if the first half of k were summed before the second", func(q *model, in instruction) {
		if !q.pairs {
			q.group = in.k / 2
		}
	}},
	{"floor", "if addends were cut toward minus infinity", func(q *model, _ instruction) { q.floor = true }},
	{"rounding", "if the result were rounded where it is cut, or cut where it is rounded", func(q *model, _ instruction) { q.nearest = !q.nearest }},
	{"normalized", "if subnormal operands were normalised before the alignment", func(q *model, _ instruction) { q.normalize = true }},
	{"carry", "if products of 2 and above were aligned by the larger exponent", func(q *model, _ instruction) { q.carry = true }},
	{"zeros", "if products that are zero took part in the alignment", func(q *model, _ instruction) { q.zeroCounts = true }},
	{"bottomless", "if the unit could be as small as the addends", func(q *model, _ instruction) { q.bottomless = true }},
	{"zero_sign", "if a negative sum that is cut to zero kept its sign", func(q *model, _ instruction) { q.signedZero = true }},
	{"reversed", "if the two instructions of mma.sync with 8-bit floats came in the other order", func(q *model, _ instruction) { q.reverse = q.pairs }},
	{"narrow", "if an 8-bit subnormal in mma.sync kept its own exponent", func(q *model, _ instruction) { q.narrow = q.pairs }},
}

// ladders are families of probes in which a small addend beside a large one
// becomes smaller by a factor of two each time.
var ladders = []struct{ figure, means, family, member string }{
	{"kept", "L + L·2^-d - L: the largest d that is not lost", "kept", "[0 1 2] sign=+1"},
	{"kept_negative", "L - L·2^-d - L: the largest d that is not lost", "kept", "[0 1 2] sign=-1"},
	{"kept_apart", "the same as kept, with the last addend at the end of k and the first at its middle", "kept", "[0 2 %LAST] sign=+1"},
	{"accumulator", "C + L - L, with C = L·2^-d: the largest d that is not lost", "accumulator small", "c=+1·1·2^-d"},
	{"beside_accumulator", "C - L + L·2^-d, with C = L: the largest d that is not lost", "accumulator large", "c=+1 small=1"},
	{"squares", "the same as kept, but L is 1.5·1.5 of its exponent", "unnormalized", "1.5² small=1"},
	{"zero_beside", "the same as kept, beside a zero times the largest number", "zeros, 0·large", "L=2^%BASE"},
	{"subnormal", "the same as kept, but L is the smallest subnormal number times 1", "subnormal A", "2^%TINY·2^0 small=1"},
}

// The figures that the page quotes of the probes, computed from the recording.
func TestEvidence(t *testing.T) {
	r := recorded(t)
	f := figures{About: "What the probes in testdata/h200.gz show. " + r.about + ".", Means: map[string]string{}, Figures: map[string]map[string]int{}}
	about := strings.Split(r.about, ", ")
	require.Len(t, about, 4)
	f.Machine = machine{about[0], strings.TrimPrefix(about[1], "driver "), strings.TrimPrefix(about[2], "CUDA ")}
	f.Date = about[3]
	for _, l := range ladders {
		f.Means[l.figure] = l.means
	}
	f.Means["cut"] = "L + 1.5·u - L, where u = L·2^-kept, in u: what is left"
	f.Means["cut_negative"] = "L - 1.5·u - L, in u: what is left, times -1"
	f.Means["above"] = "1 + 0.75 of D's last place: how many places above 1 the result is"
	for _, v := range variants {
		f.Means[v.figure] = v.means + ": recorded elements that would differ"
	}
	f.Means["looked_at"] = "recorded elements, probes and random ones, that the models were held against"
	for _, in := range instructions() {
		for _, key := range exhibits {
			if in.key() == key {
				f.Figures[key] = in.shown(t, r)
				for figure, n := range in.contradicted(r) {
					f.Figures[key][figure] = n
				}
			}
		}
	}
	f.golden(t, evidenceFile)
}

// shown is the figures of the ladders.
func (in instruction) shown(t *testing.T, r recording) map[string]int {
	list, observed := in.probes(), r.probes[in.String()]
	of := map[string]int{}
	base := max(0, in.a.emin()-in.a.fraction+in.b.emin()-in.b.fraction+32)
	fill := strings.NewReplacer("%LAST", strconv.Itoa(in.k-1), "%BASE", strconv.Itoa(base), "%TINY", strconv.Itoa(in.a.emin()-in.a.fraction))
	find := func(family, about string) (float64, bool) {
		for i, q := range list {
			if q.family == family && q.about == about {
				return in.d.value(observed[i]), true
			}
		}
		return 0, false
	}
	for _, l := range ladders {
		last := -1
		for i, q := range list {
			d, member := q.distance()
			if q.family == l.family && member == fill.Replace(l.member) && observed[i]&^in.d.signBit() != 0 {
				last = max(last, d)
			}
		}
		if last >= 0 {
			of[l.figure] = last
		}
	}
	unit := math.Ldexp(1, base-of["kept"])
	for _, sign := range []float64{1, -1} {
		v, ok := find("direction", fmt.Sprintf("L=+1 small=%+g d=%d", 1.5*sign, of["kept"]))
		require.True(t, ok)
		of[map[bool]string{true: "cut", false: "cut_negative"}[sign > 0]] = int(v / unit * sign)
	}
	if v, ok := find("ties", "c=1 0.75 ulp"); ok {
		of["above"] = int(math.Ldexp(v-1, in.d.fraction))
	}
	return of
}

// distance takes d out of what is said about a probe.
func (q probe) distance() (d int, rest string) {
	if before, after, ok := strings.Cut(q.about, "d="); ok {
		number, tail, _ := strings.Cut(after, " ")
		d, _ = strconv.Atoi(number)
		return d, strings.TrimSpace(before + tail)
	}
	if before, after, ok := strings.Cut(q.about, "·2^-"); ok {
		d, _ = strconv.Atoi(after)
		return d, before + "·2^-d"
	}
	return 0, q.about
}

// contradicted counts the recorded elements that other models get wrong.
func (in instruction) contradicted(r recording) map[string]int {
	wrong := map[string]int{}
	list := in.probes()
	var figure []string
	var models []model
	for _, v := range variants {
		m := in.model
		if v.change(&m, in); m != in.model {
			figure, models = append(figure, v.figure), append(models, m)
			wrong[v.figure] = 0
		}
	}
	for i, q := range list {
		for j, m := range models {
			if m.sum(in.a, in.b, in.d, q.a, q.b, q.c) != r.probes[in.String()][i] {
				wrong[figure[j]]++
			}
		}
	}
	wrong["looked_at"] = len(list)
	for i, want := range r.tiles[in.String()] {
		tile := in.randomTile(recordedSeed, i)
		wrong["looked_at"] += len(want)
		for j := range models {
			other := in
			other.model = models[j]
			for at, d := range other.predict(tile) {
				if d != want[at] {
					wrong[figure[j]]++
				}
			}
		}
	}
	return wrong
}
