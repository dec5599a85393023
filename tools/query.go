package tools

// Query of a Reader. Filter is in PocketBase's filter language with {:name}
// places for Params; Sort is a list of fields, "-" before one for descending.
// In wants a field to be one of many values. Limit 0 means all.
type Query struct {
	Filter, Sort  string
	In            map[string][]string
	Params        map[string]any
	Limit, Offset int
}

// Row is one group of a Sum: the group's values and the sums, by name.
type Row map[string]any
