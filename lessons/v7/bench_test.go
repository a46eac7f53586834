package main

import (
	"testing"

	"gohopper/internal/lab/labtest"
)

func BenchmarkKernel(b *testing.B) { labtest.Benchmark(b, lesson) }
