package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

type exportIn struct {
	Format string `json:"format,omitzero" jsonschema:"json by default, which household_restore takes; csv for spreadsheets"`
	Limit  int    `json:"limit,omitzero" jsonschema:"records in a part, 1000 by default and at most"`
	Cursor string `json:"cursor,omitzero" jsonschema:"next of the part before"`
}

// Exported is a part of all that the person sees.
type Exported struct {
	Household map[string]any `json:"household,omitempty" jsonschema:"what household_restore takes"`
	Files     []ExportFile   `json:"files,omitempty" jsonschema:"tables; of one that is in several parts, each begins with the names of the columns"`
	Lost      []string       `json:"lost,omitempty" jsonschema:"subscriptions whose logo is named but not there"`
	Next      string         `json:"next" jsonschema:"cursor of the next part; empty on the last"`
}

// ExportFile is a table as a file.
type ExportFile struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

func exportTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_export", Title: "household.title.export",
		Help: "Gives all that you see of the household, as one JSON object or as CSV tables, in parts: {household or files, next}.",
	}, export, tools.OneOf("format", "json", "csv"))
}

func export(r *tools.Reader, in exportIn) (Exported, error) {
	from, err := parseMark(in.Cursor)
	if err != nil {
		return Exported{}, err
	}
	if in.Limit == 0 {
		in.Limit = maxExported
	}
	if in.Limit < 1 || in.Limit > maxExported {
		return Exported{}, invalid("household.error.limit", in.Limit, maxExported)
	}
	x, err := exportViewOf(r)
	if err != nil {
		return Exported{}, err
	}
	list, next, err := x.part(from, in.Limit)
	if err != nil {
		return Exported{}, err
	}
	if err := x.tell(list); err != nil {
		return Exported{}, err
	}
	var out Exported
	if next != nil {
		out.Next = next.cursor()
	}
	if out.Lost = x.lost; in.Format == "csv" {
		out.Files, err = x.files(list)
	} else {
		out.Household = household(list)
	}
	return out, err
}
