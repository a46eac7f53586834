package ptx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestVerdicts compares Parse and Verify with NVIDIA's assembler, line by line.
func TestVerdicts(t *testing.T) {
	for _, line := range dataLines(t, "verdicts.txt") {
		want, body, _ := strings.Cut(line, " ")
		body = strings.TrimSpace(body)
		var found []string
		m, err := Parse(snippet(body))
		if err != nil {
			found = append(found, err.Error())
		} else {
			for _, e := range Verify(m) {
				found = append(found, e.Error())
			}
		}
		if want == "ok" {
			assert.Empty(t, found, body)
		} else {
			assert.NotEmpty(t, found, "expected an error: %s", body)
		}
	}
}

// TestNeeds checks the oldest target and version of instructions, and that the
// next older ones are refused.
func TestNeeds(t *testing.T) {
	older := map[string]string{"sm_75": "sm_70", "sm_80": "sm_75", "sm_89": "sm_80", "sm_90": "sm_89", "sm_90a": "sm_90", "sm_100": "sm_90a", "sm_100a": "sm_100"}
	for _, line := range dataLines(t, "needs.txt") {
		fields := strings.Fields(line)
		target, version := fields[0], fields[1]
		body := strings.Join(fields[2:], " ")
		check := func(target string, v Version) []*Error {
			m, err := Parse(snippet(body))
			require.NoError(t, err, body)
			m.Target, m.Version = []string{target}, v
			var list []*Error
			for _, e := range Verify(m) {
				if e.Rule == RuleNeeds {
					list = append(list, e)
				}
			}
			return list
		}
		v := readVersion(t, version)
		assert.Empty(t, check(target, v), "%s with %s, PTX %v", body, target, v)
		if target != "sm_75" {
			assert.NotEmpty(t, check(older[target], v), "%s with %s, PTX %v", body, older[target], v)
		}
		v.Minor--
		if v.Minor < 0 {
			v = Version{v.Major - 1, 8}
		}
		assert.NotEmpty(t, check(target, v), "%s with %s, PTX %v", body, target, v)
	}
}

func readVersion(t *testing.T, text string) Version {
	m, err := Parse(".version " + text)
	require.NoError(t, err)
	return m.Version
}
