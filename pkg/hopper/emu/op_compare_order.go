package emu

// integers is a comparison of rows of W as integers of type T, by its PTX
// name. All ten come from three: the others swap the operands or negate.
func integers[W word, T integer](operator string) func(a, b *row[W]) mask {
	switch operator {
	case "eq":
		return equal[W, T]
	case "ne":
		return func(a, b *row[W]) mask { return ^equal[W, T](a, b) }
	case "lt", "lo":
		return less[W, T]
	case "le", "ls":
		return lessOrEqual[W, T]
	case "gt", "hi":
		return func(a, b *row[W]) mask { return less[W, T](b, a) }
	case "ge", "hs":
		return func(a, b *row[W]) mask { return lessOrEqual[W, T](b, a) }
	}
	panic("emulator: no comparison " + operator)
}

func equal[W word, T integer](a, b *row[W]) (m mask) {
	_, _ = a[0], b[0]
	for i := range a {
		if T(a[i]) == T(b[i]) {
			m |= 1 << i
		}
	}
	return m
}

func less[W word, T integer](a, b *row[W]) (m mask) {
	_, _ = a[0], b[0]
	for i := range a {
		if T(a[i]) < T(b[i]) {
			m |= 1 << i
		}
	}
	return m
}

func lessOrEqual[W word, T integer](a, b *row[W]) (m mask) {
	_, _ = a[0], b[0]
	for i := range a {
		if T(a[i]) <= T(b[i]) {
			m |= 1 << i
		}
	}
	return m
}

// ordered compares floating-point values by a PTX operator. Some are not
// ordered: ltu is not ge.
func ordered[T float32 | float64](operator string, a, b *[lanes]T) mask {
	switch operator {
	case "eq":
		return equalFloats(a, b)
	case "lt":
		return lessFloats(a, b)
	case "le":
		return lessOrEqualFloats(a, b)
	case "gt":
		return lessFloats(b, a)
	case "ge":
		return lessOrEqualFloats(b, a)
	case "ne":
		return lessFloats(a, b) | lessFloats(b, a)
	case "equ":
		return ^(lessFloats(a, b) | lessFloats(b, a))
	case "neu":
		return ^equalFloats(a, b)
	case "ltu":
		return ^lessOrEqualFloats(b, a)
	case "leu":
		return ^lessFloats(b, a)
	case "gtu":
		return ^lessOrEqualFloats(a, b)
	case "geu":
		return ^lessFloats(a, b)
	case "num":
		return equalFloats(a, a) & equalFloats(b, b)
	case "nan":
		return ^(equalFloats(a, a) & equalFloats(b, b))
	}
	panic("emulator: no comparison " + operator)
}

func equalFloats[T float32 | float64](a, b *[lanes]T) (m mask) {
	_, _ = a[0], b[0]
	for i := range a {
		if a[i] == b[i] {
			m |= 1 << i
		}
	}
	return m
}

func lessFloats[T float32 | float64](a, b *[lanes]T) (m mask) {
	_, _ = a[0], b[0]
	for i := range a {
		if a[i] < b[i] {
			m |= 1 << i
		}
	}
	return m
}

func lessOrEqualFloats[T float32 | float64](a, b *[lanes]T) (m mask) {
	_, _ = a[0], b[0]
	for i := range a {
		if a[i] <= b[i] {
			m |= 1 << i
		}
	}
	return m
}
