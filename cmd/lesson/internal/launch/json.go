package launch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// value is a JSON value and its path, "args[2].map.Box". Its methods read it
// as what is expected; the first that fails sets the error and all further
// ones return zero values.
type value struct {
	path string
	raw  json.RawMessage
	err  *error
}

// decode checks the syntax of a text and returns its only value.
func decode(text []byte, err *error) value {
	v := value{err: err}
	e := json.Unmarshal(text, &v.raw)
	if syntax := new(json.SyntaxError); errors.As(e, &syntax) {
		before := text[:max(0, min(int(syntax.Offset)-1, len(text)))]
		line := 1 + bytes.Count(before, []byte("\n"))
		*err = fmt.Errorf("%d:%d: this is no JSON: %w", line, len(before)-bytes.LastIndexByte(before, '\n'), e)
	}
	return v
}

func (v value) fail(format string, args ...any) {
	if *v.err != nil {
		return
	}
	at := v.path
	if at == "" {
		at = "the launch"
	}
	*v.err = fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...))
}

// kind names what the value is.
func (v value) kind() string {
	switch v.raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f', 'n':
		return string(v.raw)
	}
	return "a number"
}

// is reports whether the value begins as an object, a list or a string does.
func (v value) is(first byte) bool { return *v.err == nil && v.raw[0] == first }

// object reads an object whose fields all have one of the names.
func (v value) object(names ...string) map[string]value {
	if *v.err != nil {
		return nil
	}
	if !v.is('{') {
		v.fail("this is %s; write an object with %s", v.kind(), strings.Join(names, ", "))
		return nil
	}
	fields := map[string]value{}
	d := json.NewDecoder(bytes.NewReader(v.raw))
	for _, err := d.Token(); d.More() && err == nil; {
		var name json.Token
		if name, err = d.Token(); err != nil {
			break
		}
		field := value{path: strings.TrimPrefix(v.path+"."+name.(string), "."), err: v.err}
		err = d.Decode(&field.raw)
		switch _, twice := fields[name.(string)]; {
		case !slices.Contains(names, name.(string)):
			field.fail("this field is not known; known here are %s", strings.Join(names, ", "))
		case twice:
			field.fail("this field is given twice")
		}
		fields[name.(string)] = field
	}
	return fields
}

// only reads an object with exactly one field, of one of the names.
func (v value) only(names ...string) (name string, field value) {
	fields := v.object(names...)
	if len(fields) != 1 {
		v.fail("this has %d fields; give one of %s", len(fields), strings.Join(names, ", "))
		return "", v
	}
	name = slices.Collect(maps.Keys(fields))[0]
	return name, fields[name]
}

// list reads a list.
func (v value) list() []value {
	if *v.err != nil {
		return nil
	}
	var raw []json.RawMessage
	if !v.is('[') || json.Unmarshal(v.raw, &raw) != nil {
		v.fail("this is %s; write a list", v.kind())
		return nil
	}
	list := make([]value, len(raw))
	for i := range raw {
		list[i] = value{fmt.Sprintf("%s[%d]", v.path, i), raw[i], v.err}
	}
	return list
}

// text reads a string.
func (v value) text() (s string) {
	if *v.err != nil {
		return ""
	}
	if !v.is('"') || json.Unmarshal(v.raw, &s) != nil {
		v.fail("this is %s; write a string", v.kind())
	}
	return s
}

// choice reads one of some strings and returns its index.
func (v value) choice(from ...string) int {
	s := v.text()
	if i := slices.Index(from, s); i >= 0 {
		return i
	}
	v.fail("%q is none of %s", s, strings.Join(from, ", "))
	return 0
}

// integer reads an integer of a range.
func (v value) integer(least, most int64) int64 {
	if *v.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(string(v.raw), 10, 64)
	if err != nil || n < least || n > most {
		v.fail("%s; write an integer from %d to %d", v.shown(), least, most)
		return 0
	}
	return n
}

// natural reads an integer that is not negative.
func (v value) natural(most uint64) uint64 {
	if *v.err != nil {
		return 0
	}
	n, err := strconv.ParseUint(string(v.raw), 10, 64)
	if err != nil || n > most {
		v.fail("%s; write an integer from 0 to %d", v.shown(), most)
		return 0
	}
	return n
}

// number reads any number.
func (v value) number() float64 {
	if *v.err != nil {
		return 0
	}
	n, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		v.fail("%s; write a number", v.shown())
		return 0
	}
	return n
}

// shown is the value in a message: a number as it is written.
func (v value) shown() string {
	if k := v.kind(); k != "a number" {
		return "this is " + k
	}
	return "this is " + string(v.raw)
}
