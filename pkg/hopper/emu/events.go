package emu

import "container/heap"

// completion is something that will happen at a tick of the cluster's clock.
type completion struct {
	at    int64
	order int64 // of scheduling: breaks ties
	do    func()
}

// eventQueue is a heap of completions.
type eventQueue struct {
	list   []completion
	issued int64
}

func (q *eventQueue) Len() int { return len(q.list) }
func (q *eventQueue) Less(i, j int) bool {
	a, b := q.list[i], q.list[j]
	return a.at < b.at || a.at == b.at && a.order < b.order
}
func (q *eventQueue) Swap(i, j int) { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *eventQueue) Push(x any)    { q.list = append(q.list, x.(completion)) }
func (q *eventQueue) Pop() any {
	last := q.list[len(q.list)-1]
	q.list[len(q.list)-1] = completion{}
	q.list = q.list[:len(q.list)-1]
	return last
}

// engine is a unit that works asynchronously. Each has its own delays.
type engine int

const (
	engineTMA    engine = iota // bulk and tensor copies
	engineCopy                 // cp.async
	engineTensor               // wgmma
)

// after lets do happen delay ticks from now; a delay of 0 is still after the
// instruction that is being executed.
func (c *cluster) after(delay int64, do func()) {
	c.events.issued++
	heap.Push(&c.events, completion{c.now + delay, c.events.issued, do})
}

// delay draws how long an engine takes for an operation of so many bytes. Most
// draws look like hardware; some are immediate and some are very late, because
// a correct kernel must not care.
func (c *cluster) delay(e engine, bytes int) int64 {
	switch c.random.IntN(16) {
	case 0, 1:
		return 0
	case 2:
		return 20_000 + c.random.Int64N(20_000)
	}
	base := [...]int64{engineTMA: 600, engineCopy: 400, engineTensor: 60}[e]
	return base/2 + c.random.Int64N(base) + int64(bytes)/64
}

// patience draws when an mbarrier.try_wait gives up by itself: mostly never,
// which leaves it to the moment when nothing else can happen.
func (c *cluster) patience() int64 {
	if c.random.IntN(8) != 0 {
		return 0
	}
	return c.now + 1 + c.random.Int64N(2_000)
}

// happen runs the completions that are due.
func (c *cluster) happen() {
	for len(c.events.list) > 0 && c.events.list[0].at <= c.now {
		e := heap.Pop(&c.events).(completion)
		c.progress++
		e.do()
	}
}
