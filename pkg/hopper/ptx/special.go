package ptx

import "strings"

// specials are the special registers and their types (PTX 10). A type that
// begins with "v4" is a vector: its elements are "%tid.x" to "%tid.w".
var specials = map[string]Type{
	"tid": "v4u32", "ntid": "v4u32", "ctaid": "v4u32", "nctaid": "v4u32",
	"clusterid": "v4u32", "nclusterid": "v4u32", "cluster_ctaid": "v4u32", "cluster_nctaid": "v4u32",
	"cluster_ctarank": "u32", "cluster_nctarank": "u32", "is_explicit_cluster": "pred",
	"laneid": "u32", "warpid": "u32", "nwarpid": "u32", "smid": "u32", "nsmid": "u32", "gridid": "u64",
	"lanemask_eq": "u32", "lanemask_le": "u32", "lanemask_lt": "u32", "lanemask_ge": "u32", "lanemask_gt": "u32",
	"clock": "u32", "clock_hi": "u32", "clock64": "u64",
	"globaltimer": "u64", "globaltimer_lo": "u32", "globaltimer_hi": "u32",
	"total_smem_size": "u32", "aggr_smem_size": "u32", "dynamic_smem_size": "u32",
	"reserved_smem_offset_begin": "b32", "reserved_smem_offset_end": "b32", "reserved_smem_offset_cap": "b32",
	"reserved_smem_offset_0": "b32", "reserved_smem_offset_1": "b32",
	"current_graph_exec": "b64",
}

// special looks up a special register, "%tid.x" or "%laneid". For a vector
// without an element it returns the vector's type.
func special(name string) (t Type, ok bool) {
	base, element, isElement := strings.Cut(name[1:], ".")
	t, ok = specials[base]
	if !ok {
		switch {
		case strings.HasPrefix(base, "pm") && strings.HasSuffix(base, "_64"):
			return "u64", !isElement
		case strings.HasPrefix(base, "pm"), strings.HasPrefix(base, "envreg"):
			return "b32", !isElement
		}
		return "", false
	}
	scalar, isVector := strings.CutPrefix(string(t), "v4")
	if !isElement {
		return t, true
	}
	return Type(scalar), isVector && len(element) == 1 && strings.Contains("xyzw", element)
}
