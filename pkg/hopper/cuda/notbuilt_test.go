//go:build !(cuda && cgo)

package cuda

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOpenIsNotBuilt(t *testing.T) {
	d, err := Open(0)
	assert.Nil(t, d)
	assert.ErrorIs(t, err, ErrNotBuilt)
	assert.False(t, Probe().Built)
}
