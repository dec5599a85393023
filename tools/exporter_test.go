package tools_test

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// exporting is a plugin whose data can leave.
type exporting struct {
	extra
	x tools.Export
}

func (e exporting) Export() tools.Export { return e.x }

// TestExporterRefused: an export that no tool of the plugin gives or takes
// stops the start.
func TestExporterRefused(t *testing.T) {
	good := tools.Export{Give: "ex_get", Take: "ex_write", Lists: []string{"things"}, Records: 1, Bytes: 1}
	for _, row := range []struct {
		name, want string
		change     func(*tools.Export)
	}{
		{"fine", "", func(*tools.Export) {}},
		{"given by nothing", `given by "ex_none"`, func(x *tools.Export) { x.Give = "ex_none" }},
		{"given by what writes", `given by "ex_write"`, func(x *tools.Export) { x.Give = "ex_write" }},
		{"given by another", `given by "ey_get"`, func(x *tools.Export) { x.Give = "ey_get" }},
		{"taken by what reads", `taken by "ex_get"`, func(x *tools.Export) { x.Take = "ex_get" }},
		{"taken by another", `taken by "ey_write"`, func(x *tools.Export) { x.Take = "ey_write" }},
		{"no lists", "no lists", func(x *tools.Export) { x.Lists = nil }},
		{"no room", "no room", func(x *tools.Export) { x.Records = 0 }},
		{"no room in bytes", "no room", func(x *tools.Export) { x.Bytes = 0 }},
	} {
		x := good
		row.change(&x)
		_, err := tools.NewRegistry(extra{name: "ey"}, exporting{extra{name: "ex"}, x})
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}
