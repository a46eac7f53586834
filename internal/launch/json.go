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

// Mistake is what is wrong with a description, and where in its text.
type Mistake struct {
	Line, Column int    // of the value, from 1
	Path         string // of the value; "" where the text is no JSON
	Message      string
}

func (m *Mistake) Error() string {
	if m.Path == "" {
		return fmt.Sprintf("%d:%d: %s", m.Line, m.Column, m.Message)
	}
	return m.Path + ": " + m.Message
}

// document is the text of a description and the first mistake in it.
type document struct {
	text    []byte
	mistake *Mistake
}

// blame keeps a mistake at an offset of the text, unless there is one already.
func (d *document) blame(offset int, path, message string) {
	if d.mistake != nil {
		return
	}
	before := d.text[:max(0, min(offset, len(d.text)))]
	line, column := 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n')
	d.mistake = &Mistake{line, column, path, message}
}

// value is a JSON value, its path, "args[2].map.Box", and its offset in the
// text. Its methods read it as what is expected; the first that fails sets the
// document's mistake and all further ones return zero values.
type value struct {
	path string
	raw  json.RawMessage
	at   int
	in   *document
}

// decode checks the syntax of a text and returns its only value.
func (d *document) decode() value {
	v := value{in: d, at: len(d.text) - len(bytes.TrimLeft(d.text, " \t\r\n"))}
	e := json.Unmarshal(d.text, &v.raw)
	if syntax := new(json.SyntaxError); errors.As(e, &syntax) {
		d.blame(int(syntax.Offset)-1, "", fmt.Sprintf("this is no JSON: %v", e))
	}
	return v
}

func (v value) fail(format string, args ...any) {
	at := v.path
	if at == "" {
		at = "the launch"
	}
	v.in.blame(v.at, at, fmt.Sprintf(format, args...))
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
func (v value) is(first byte) bool { return v.in.mistake == nil && v.raw[0] == first }

// object reads an object whose fields all have one of the names.
func (v value) object(names ...string) map[string]value {
	if v.in.mistake != nil {
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
		field := value{path: strings.TrimPrefix(v.path+"."+name.(string), "."), in: v.in}
		err = d.Decode(&field.raw)
		field.at = v.at + int(d.InputOffset()) - len(field.raw)
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
	if v.in.mistake != nil {
		return nil
	}
	if !v.is('[') {
		v.fail("this is %s; write a list", v.kind())
		return nil
	}
	list := []value{}
	d := json.NewDecoder(bytes.NewReader(v.raw))
	for _, err := d.Token(); d.More() && err == nil; {
		entry := value{path: fmt.Sprintf("%s[%d]", v.path, len(list)), in: v.in}
		err = d.Decode(&entry.raw)
		entry.at = v.at + int(d.InputOffset()) - len(entry.raw)
		list = append(list, entry)
	}
	return list
}

// text reads a string.
func (v value) text() (s string) {
	if v.in.mistake != nil {
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
	if v.in.mistake != nil {
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
	if v.in.mistake != nil {
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
	if v.in.mistake != nil {
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
