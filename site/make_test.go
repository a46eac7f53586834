package site

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScratch(t *testing.T) {
	f, err := Make(repository)
	require.NoError(t, err)
	require.NoError(t, f.Write(os.Getenv("OUT")))
}
