package site

import (
	"fmt"
	"path/filepath"
	"strings"

	"gohopper/internal/report"
	"gohopper/lessons"
)

// ladderFile is the report of every lesson at one shape.
const ladderFile = "plots/data/ladder.json"

// ladder is the recorded result of each lesson.
type ladder struct {
	Rows    []ladderRow
	Machine string // card, driver, library
	Date    string
	How     string
}

// ladderRow is one lesson's result; Recorded is false where there is none.
type ladderRow struct {
	lessons.Lesson
	Out, Short         string // "v3.html", "V3"
	Recorded           bool
	TFLOPS             string
	Percent, Low, High string
	Slower             bool // than the lesson before
	Registers          int
	SharedKiB          string
}

// The work of the ladder.
const ladderType = "f16"

var ladderShape = report.Shape{M: 8192, N: 8192, K: 8192}

// readLadder reads the results. A lesson without one keeps its row.
func readLadder(root string) (ladder, error) {
	results, err := report.Read(filepath.Join(root, filepath.FromSlash(ladderFile)))
	if err != nil {
		return ladder{}, err
	}
	of := map[string]report.Combined{}
	l := ladder{}
	var processes, dates []string
	for _, c := range report.Combine(results) {
		if c.Origin != report.Recorded || c.Type != ladderType || c.Shape != ladderShape || c.Ratio == nil || c.TFLOPS == nil {
			continue
		}
		of[c.Lesson] = c
		l.Machine = c.Machine.String()
		dates = append(dates, c.Day())
		processes = append(processes, fmt.Sprint(c.Processes))
	}
	l.Date = report.Distinct(dates, " and ")
	l.How = fmt.Sprintf("median and range of %s fresh processes", report.Distinct(processes, " or "))
	last := 0.0
	for _, lesson := range lessons.All() {
		row := ladderRow{Lesson: lesson, Out: lesson.Name + ".html", Short: strings.ToUpper(lesson.Name)}
		if c, ok := of[lesson.Name]; ok {
			row.fill(c)
			row.Slower = c.Ratio.Median < last
			last = c.Ratio.Median
		}
		l.Rows = append(l.Rows, row)
	}
	return l, nil
}

func (r *ladderRow) fill(c report.Combined) {
	r.Recorded = true
	r.TFLOPS = fmt.Sprintf("%.0f", c.TFLOPS.Median)
	r.Percent, r.Low, r.High = percent(c.Ratio.Median), percent(c.Ratio.Min), percent(c.Ratio.Max)
	if c.Build != nil {
		r.Registers = c.Build.Registers
		r.SharedKiB = fmt.Sprintf("%.0f", float64(c.Build.SharedBytes)/1024)
	}
}

func percent(ratio float64) string { return fmt.Sprintf("%.1f", 100*ratio) }

// row is a lesson's result, nil if it is not recorded.
func (l ladder) row(name string) *ladderRow {
	for i := range l.Rows {
		if l.Rows[i].Name == name && l.Rows[i].Recorded {
			return &l.Rows[i]
		}
	}
	return nil
}
