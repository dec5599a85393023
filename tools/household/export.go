package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

type exportIn struct {
	Format string `json:"format,omitzero" jsonschema:"json by default, which household_restore takes; csv for spreadsheets"`
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

func exportTool() tools.Tool { return exportToolOf(maxExported, maxExportedBytes) }

// exportToolOf gives parts of a size.
func exportToolOf(records, bytes int) tools.Tool {
	return with(tools.NewRead(tools.Def{
		Name: "household_export", Title: "household.title.export",
		Help: "Gives all that you see of the household, as one JSON object or as CSV tables, in parts of 1,000 records at most: {household or files, next}.",
	}, func(r *tools.Reader, in exportIn) (Exported, error) { return export(r, in, records, bytes) }), oneOf("format", "json", "csv"))
}

func export(r *tools.Reader, in exportIn, records, bytes int) (Exported, error) {
	from, err := parseMark(in.Cursor)
	if err != nil {
		return Exported{}, err
	}
	x, err := exportViewOf(r)
	if err != nil {
		return Exported{}, err
	}
	list, next, err := x.part(from, records, bytes)
	if err != nil {
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
