package launch

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gohopper/pkg/hopper/device"
	"gohopper/pkg/hopper/num"
)

func TestParse(t *testing.T) {
	d, err := Parse([]byte(`
	{"entry": "k", "grid": [4, 2], "block": 128, "cluster": [2], "shared": 4096, "seeds": [3, -1], "args": [
		{"map": {"buffer": 2, "Address": 256, "Type": "tf32.ftz", "Dims": [64, 8, 8], "Strides": [256, 2048], "Box": [8, 8, 8],
			"ElementStrides": [1, 2, 1], "Interleave": "16B", "Swizzle": "64B", "L2Promotion": "128B", "Fill": "nan"}},
		{"u64": 18446744073709551615},
		{"buffer": {"count": 5000, "type": "bf16", "fill": "normal"}},
		{"hex": "00fF7f"},
		{"s8": -128},
		{"f16": 1.5},
		{"buffer": {"bytes": 12, "fill": "zero", "seed": 9}}
	]}`))
	require.NoError(t, err)
	assert.Equal(t, "k", d.Entry)
	assert.Equal(t, device.Launch{Grid: [3]int{4, 2, 1}, Block: [3]int{128, 1, 1}, Cluster: [3]int{2, 1, 1}, Shared: 4096}, d.Shape)
	assert.Equal(t, []int64{3, -1}, d.Seeds)
	require.Len(t, d.args, 7)
	assert.Equal(t, &tensor{of: 2, TensorMap: device.TensorMap{
		Type: device.MapTF32FTZ, Address: 256, Dims: []uint64{64, 8, 8}, Strides: []uint64{256, 2048}, Box: []uint32{8, 8, 8},
		ElementStrides: []uint32{1, 2, 1}, Interleave: device.Interleave16B, Swizzle: device.Swizzle64B,
		L2Promotion: device.L2128B, Fill: device.FillNaN,
	}}, d.args[0].tensor)
	assert.Equal(t, device.Int64(-1), d.args[1].value)
	assert.Equal(t, 10000, d.args[2].buffer.size())
	assert.EqualValues(t, 2, d.args[2].buffer.seed, "the argument's index")
	assert.Equal(t, device.Arg{0, 0xff, 0x7f}, d.args[3].value)
	assert.Equal(t, device.Arg{0x80}, d.args[4].value)
	assert.Equal(t, device.Arg{0x00, 0x3e}, d.args[5].value)
	assert.Equal(t, 12, d.args[6].buffer.size())
	assert.EqualValues(t, 9, d.args[6].buffer.seed)

	d.Consecutive(3)
	assert.Equal(t, []int64{3, 4, 5}, d.Seeds)
}

func TestParseRefuses(t *testing.T) {
	args := func(list string) string { return `{"grid": 1, "block": 32, "args": [` + list + `]}` }
	tensor := func(more string) string {
		return args(`{"map": {"buffer": {"bytes": 4096}, "Type": "f16", "Box": [8, 8]` + more + `}}`)
	}
	for _, c := range []struct{ name, text, want string }{
		{"nothing", ``, `1:1: this is no JSON: unexpected end of JSON input`},
		{"a missing quote", "{\n  \"grid: 1\n}", "2:11: this is no JSON: invalid character '\\n' in string literal"},
		{"two values", `{} {}`, `1:4: this is no JSON: invalid character '{' after top-level value`},
		{"a list", `[1]`, `the launch: this is a list; write an object with entry, grid, block, cluster, shared, seeds, args`},
		{"no grid", `{"block": 32}`, `the launch: grid is missing; give a number or [x, y, z]`},
		{"no block", `{"grid": 32}`, `the launch: block is missing; give a number or [x, y, z]`},
		{"an unknown field", `{"grid": 1, "block": 1, "smem": 0}`,
			`smem: this field is not known; known here are entry, grid, block, cluster, shared, seeds, args`},
		{"a field twice", `{"grid": 1, "grid": 2, "block": 1}`, `grid: this field is given twice`},
		{"four extents", `{"grid": [1, 1, 1, 1], "block": 1}`, `grid: this has 4 extents; give 1 to 3`},
		{"an extent of nothing", `{"grid": [1, 0], "block": 1}`, `grid[1]: this is 0; write an integer from 1 to 2147483647`},
		{"a fraction", `{"grid": 1, "block": 1.5}`, `block: this is 1.5; write an integer from 1 to 2147483647`},
		{"null", `{"grid": null, "block": 1}`, `grid: this is null; write an integer from 1 to 2147483647`},
		{"a name that is none", `{"grid": 1, "block": 1, "entry": 3}`, `entry: this is a number; write a string`},
		{"no seeds", `{"grid": 1, "block": 1, "seeds": []}`, `seeds: this has 0 seeds; give 1 to 10000`},
		{"one seed", `{"grid": 1, "block": 1, "seeds": 1}`, `seeds: this is a number; write a list`},
		{"two kinds of argument", args(`{"s32": 1, "u32": 1}`),
			`args[0]: this has 2 fields; give one of s8, u8, s16, u16, s32, u32, s64, u64, f16, bf16, f32, f64, hex, buffer, map`},
		{"an unknown argument", args(`{"s32": 1}, {"e4m3": 1}`),
			`args[1].e4m3: this field is not known; known here are s8, u8, s16, u16, s32, u32, s64, u64, f16, bf16, f32, f64, hex, buffer, map`},
		{"an integer that does not fit", args(`{"s32": 2147483648}`), `args[0].s32: this is 2147483648; write an integer from -2147483648 to 2147483647`},
		{"a negative unsigned", args(`{"u16": -1}`), `args[0].u16: this is -1; write an integer from 0 to 65535`},
		{"a number in quotes", args(`{"f32": "1"}`), `args[0].f32: this is a string; write a number`},
		{"a number that is too large", args(`{"f64": 1e999}`), `args[0].f64: this is 1e999; write a number`},
		{"half a byte", args(`{"hex": "abc"}`), `args[0].hex: this is no run of bytes; write two digits a byte, as in "00ff"`},
		{"a buffer of no size", args(`{"buffer": {}}`), `args[0].buffer: give bytes, or count and type`},
		{"a buffer of two sizes", args(`{"buffer": {"bytes": 4, "count": 1}}`), `args[0].buffer: give bytes, or count and type`},
		{"a misspelt field", args(`{"buffer": {"bytes": 4, "fil": "zero"}}`),
			`args[0].buffer.fil: this field is not known; known here are bytes, count, type, fill, seed`},
		{"an unknown fill", args(`{"buffer": {"bytes": 4, "fill": "ones"}}`), `args[0].buffer.fill: "ones" is none of poison, zero, index, normal`},
		{"normal bytes", args(`{"buffer": {"bytes": 4, "fill": "normal"}}`), `args[0].buffer.fill: normal needs elements of a float type; this buffer's are u8`},
		{"a buffer beyond all memory", args(`{"buffer": {"count": 9000000000000, "type": "f64"}}`),
			`args[0].buffer.count: this is 9000000000000; write an integer from 1 to 137438953472`},
		{"a map without a size", tensor(``), `args[0].map: Dims is missing`},
		{"a map's misspelt field", tensor(`, "Dims": [8, 8], "Stride": [16]`),
			`args[0].map.Stride: this field is not known; known here are buffer, Address, Type, Dims, Strides, Box, ElementStrides, Interleave, Swizzle, L2Promotion, Fill`},
		{"a swizzle that is none", tensor(`, "Dims": [8, 8], "Swizzle": "256B"`), `args[0].map.Swizzle: "256B" is none of none, 32B, 64B, 128B`},
		{"a negative size", tensor(`, "Dims": [8, -8]`), `args[0].map.Dims[1]: this is -8; write an integer from 0 to 18446744073709551615`},
		{"a map that the driver refuses", tensor(`, "Dims": [10, 8], "Strides": [20]`),
			`args[0].map: tensor map: row stride is 2·K = 20 bytes; TMA strides are multiples of 16 bytes, so K must be a multiple of 8`},
		{"a map at an odd address", tensor(`, "Dims": [8, 8], "Strides": [16], "Address": 8`),
			`args[0].map: tensor map: address 0x8 is not a multiple of 16 bytes (no interleave); start the tensor at an aligned address`},
		{"a map of no buffer", args(`{"s32": 1}, {"map": {"buffer": 0, "Type": "u8", "Dims": [16], "Box": [16]}}`),
			`args[1]: map.buffer is 0, and args[0] is no buffer`},
		{"a map of itself", args(`{"map": {"buffer": 0, "Type": "u8", "Dims": [16], "Box": [16]}}`),
			`args[0]: map.buffer is 0, and args[0] is no buffer`},
		{"a map of nothing", args(`{"map": {"buffer": 7, "Type": "u8", "Dims": [16], "Box": [16]}}`),
			`args[0]: map.buffer is 7, and args[7] is no buffer`},
		{"a text beyond the limit", strings.Repeat(" ", mostText+1), `the description has 1048577 bytes; the limit is 1048576`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			require.EqualError(t, err, c.want)
		})
	}
}

// FuzzParse: whatever the text, there is a description that can be run, or an
// error.
func FuzzParse(f *testing.F) {
	f.Add(Example)
	f.Add(`{"grid": [1, 2], "block": 32, "seeds": [4], "args": [{"hex": "00"}, {"f32": 1}, {"buffer": {"bytes": 4}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse([]byte(text))
		if err != nil {
			assert.Nil(t, d)
			return
		}
		assert.NotEmpty(t, d.Seeds)
		for i := range 3 {
			assert.Positive(t, d.Shape.Grid[i])
			assert.Positive(t, d.Shape.Block[i])
		}
	})
}

func TestFills(t *testing.T) {
	find := func(name string) element {
		for _, e := range elements() {
			if e.name == name {
				return e
			}
		}
		t.Fatal(name)
		return element{}
	}
	assert.Equal(t, []byte{0, 0, 1, 0, 2, 0}, find("u16").index(3))
	assert.Equal(t, []byte{0, 0, 0, 0x3c, 0, 0x40}, find("f16").index(3))
	data := find("f16").normal(10000, 5)
	assert.Equal(t, data, find("f16").normal(10000, 5))
	assert.NotEqual(t, data, find("f16").normal(10000, 6))
	var sum, squares float64
	for i := 0; i < len(data); i += 2 {
		v := num.FormatF16.Decode(uint32(data[i]) | uint32(data[i+1])<<8)
		sum, squares = sum+v, squares+v*v
	}
	assert.InDelta(t, 0, sum/10000, 0.05)
	assert.InDelta(t, 1, math.Sqrt(squares/10000), 0.05)
}
