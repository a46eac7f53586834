// Package lessons is the ordered list of lessons. Everything that needs an
// order, the command line, the site and the plots, reads it here.
//
// The package holds names and words only. It must not know a lesson's code:
// each lesson is a program of its own, in the folder that this list names.
package lessons

// Lesson is one lesson of the course.
type Lesson struct {
	Name   string `json:"name"`   // "v3": of the folder, the program and the report
	Folder string `json:"folder"` // from the root of the repository, with slashes
	Title  string `json:"title"`  // what the lesson's program prints as its title
	Idea   string `json:"idea"`   // one line: why the step is taken
	New    string `json:"new"`    // the words that appear for the first time
	Route  Route  `json:"route"`  // to the tensor cores
}

// Route is the instruction by which a kernel reaches the tensor cores.
type Route string

// The routes. Hopper reaches its full rate on the second only.
const (
	WarpMMA Route = "mma.sync" // operands in the registers of one warp
	Wgmma   Route = "wgmma"    // operands in shared memory, issued by a warpgroup
)

// All is every lesson in the order of the course.
func All() []Lesson {
	return []Lesson{
		{
			Name: "v0", Folder: "lessons/v0", Route: WarpMMA,
			Title: "TMA into shared memory, ldmatrix and mma.sync through registers",
			Idea:  "the least that feeds a tensor core by TMA",
			New:   "tensor maps, mbarrier, ldmatrix, mma.sync",
		},
		{
			Name: "v1", Folder: "lessons/v1", Route: Wgmma,
			Title: "WGMMA straight from shared memory",
			Idea:  "operands need not pass through registers",
			New:   "wgmma: descriptors, fence, commit, wait",
		},
		{
			Name: "v2", Folder: "lessons/v2", Route: Wgmma,
			Title: "a ring of stages",
			Idea:  "load the next tiles while these are multiplied",
			New:   "stages, each with its own phase",
		},
		{
			Name: "v3", Folder: "lessons/v3", Route: Wgmma,
			Title: "producer warp, consumer warpgroup",
			Idea:  "who loads need not wait for who multiplies",
			New:   "warp roles, full and empty barriers, drain",
		},
		{
			Name: "v4", Folder: "lessons/v4", Route: Wgmma,
			Title: "two consumer warpgroups, Pipeline, grouped raster order",
			Idea:  "two streams of products, tiles that share the L2",
			New:   "Pipeline, two consumers, raster groups",
		},
		{
			Name: "v5", Folder: "lessons/v5", Route: Wgmma,
			Title: "one WGMMA group always in flight",
			Idea:  "the tensor cores never wait for bookkeeping",
			New:   "wait_group 1, release of the previous stage",
		},
		{
			Name: "v6", Folder: "lessons/v6", Route: Wgmma,
			Title: "setmaxnreg, cluster multicast, persistent tiles, TMA-store epilogue",
			Idea:  "larger tiles, shared loads, stores in the shadow",
			New:   "setmaxnreg, clusters, multicast, TMA store",
		},
		{
			Name: "v7", Folder: "lessons/v7", Route: Wgmma,
			Title: "past the library: the tile by shape, and the last few percent",
			Idea:  "spend what V6 leaves, a percent at a time",
			New:   "a choice by shape, slab ring, overlapped launch",
		},
	}
}

// Names is the names of all lessons in order.
func Names() []string {
	var names []string
	for _, l := range All() {
		names = append(names, l.Name)
	}
	return names
}

// Find looks a lesson up by its name.
func Find(name string) (l Lesson, ok bool) {
	for _, l := range All() {
		if l.Name == name {
			return l, true
		}
	}
	return Lesson{}, false
}
