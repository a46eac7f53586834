package bench

import (
	"fmt"
	"time"
)

// pace estimates the time that is left from the jobs that are done. A job takes
// as long as those of its shape took: the reference product and the upload grow
// with it.
type pace struct {
	jobs []Job // not yet done, the current one first
	sum  map[string]time.Duration
	n    map[string]int
}

// anyShape is the key of all jobs together.
const anyShape = ""

func newPace(jobs []Job) *pace {
	return &pace{jobs: jobs, sum: map[string]time.Duration{}, n: map[string]int{}}
}

// took ends the current job.
func (p *pace) took(d time.Duration) {
	for _, key := range []string{p.jobs[0].Shape.String(), anyShape} {
		p.sum[key] += d
		p.n[key]++
	}
	p.skip()
}

// skip passes the current job over.
func (p *pace) skip() { p.jobs = p.jobs[1:] }

// left is ", about 3m20s left", or "" before anything is known.
func (p *pace) left() string {
	if p.n[anyShape] == 0 {
		return ""
	}
	var total time.Duration
	for _, j := range p.jobs {
		key := j.Shape.String()
		if p.n[key] == 0 {
			key = anyShape
		}
		total += p.sum[key] / time.Duration(p.n[key])
	}
	return fmt.Sprintf(", about %v left", total.Round(time.Second))
}
