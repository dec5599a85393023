package tools

import "github.com/spf13/cast"

// Query of a Reader. Filter is in PocketBase's filter language with {:name}
// places for Params; Sort is a list of fields, "-" before one for descending.
// In wants a field to be one of many values. Limit 0 means all. A Sum is
// ordered by its groups: Sort says nothing there, Limit and Offset count groups.
type Query struct {
	Filter, Sort  string
	In            map[string][]string
	Params        map[string]any
	Limit, Offset int
}

// Row is a record of Rows, by field, or a group of a Sum: the group's values
// and the sums, by name. Its getters are those of a core.Record, so that one
// interface fits both; what a row does not have is the zero value.
type Row map[string]any

// GetString is a value as text. A list has none.
func (r Row) GetString(name string) string { return cast.ToString(r[name]) }

// GetInt is a value as a whole number, cut off after the point.
func (r Row) GetInt(name string) int { return cast.ToInt(r[name]) }

// GetFloat is a value as a number.
func (r Row) GetFloat(name string) float64 { return cast.ToFloat64(r[name]) }

// GetBool is a value as yes or no.
func (r Row) GetBool(name string) bool { return cast.ToBool(r[name]) }
