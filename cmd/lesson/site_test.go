package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSiteMistakes(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"site", "v3"}, 2, "lesson site: \"v3\" is one argument too many\n"},
		{[]string{"site", "-port", "x"}, 2, "lesson site: invalid value \"x\" for flag -port: parse error; lesson site -h lists the flags\n"},
		{[]string{"site", "-o", "out"}, 1, "lesson site: there is no go command on PATH: install Go from https://go.dev/dl\n"},
	} {
		status, stdout, stderr := use(laptop("/course"), c.args...)
		assert.Equal(t, c.status, status)
		assert.Equal(t, c.want, stderr)
		assert.Empty(t, stdout)
	}
}
