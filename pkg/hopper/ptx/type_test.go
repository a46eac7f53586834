package ptx

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTypeBytes(t *testing.T) {
	for typ, want := range map[Type]int{
		"pred": 0, "b8": 1, "e4m3": 1, "u16": 2, "bf16": 2, "e5m2x2": 2, "f32": 4, "tf32": 4, "f16x2": 4, "bf16x2": 4,
		"s64": 8, "f32x2": 8, "b128": 16, "texref": 0, "nonsense": 0,
	} {
		assert.Equal(t, want, typ.Bytes(), string(typ))
	}
}

// TestTypeHolds is the table of PTX 9.4 and 9.4.1.
func TestTypeHolds(t *testing.T) {
	for _, c := range []struct {
		register, want Type
		same, wider    bool // with equal widths required, and with wider ones allowed
	}{
		{"b32", "f32", true, true},
		{"b32", "s32", true, true},
		{"u32", "s32", true, true},
		{"u32", "b32", true, true},
		{"u32", "f32", false, false},
		{"f32", "b32", true, true},
		{"f32", "u32", false, false},
		{"f32", "f16x2", false, false},
		{"f16x2", "f16x2", true, true},
		{"b32", "f16x2", true, true},
		{"b16", "bf16", true, true},
		{"u16", "bf16", false, false},
		{"f16", "bf16", false, false},
		{"b64", "u32", false, true},
		{"b64", "f32", false, true},
		{"f64", "f32", false, false},
		{"f64", "b32", false, true},
		{"u64", "f32", false, false},
		{"b16", "u32", false, false},
		{"pred", "b32", false, false},
		{"b32", "pred", false, false},
	} {
		assert.Equal(t, c.same, c.register.holds(c.want, false), ".%s for .%s", c.register, c.want)
		assert.Equal(t, c.wider, c.register.holds(c.want, true), ".%s for .%s, wider allowed", c.register, c.want)
	}
}
