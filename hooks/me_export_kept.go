package hooks

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"slices"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// keptRows are rows of a table that are a person's, as an export has them: those
// columns that are said, so that a new one that is secret is not. TestExportOfAll
// wants each of the others to be known for one.
type keptRows struct {
	name, table, person string
	columns             []string
}

func rowsKept() []keptRows {
	amounts := []string{"day_cost", "month_cost", "day_tokens", "month_tokens"}
	stamps := []string{"created", "updated"}
	return []keptRows{
		{"sign_ins_by_provider", core.CollectionNameExternalAuths, "recordRef", append([]string{"provider", "providerId"}, stamps...)},
		{"known_devices", core.CollectionNameAuthOrigins, "recordRef", stamps},
		{"second_factors", core.CollectionNameMFAs, "recordRef", append([]string{"method"}, stamps...)},
		{"codes", core.CollectionNameOTPs, "recordRef", append([]string{"sentTo"}, stamps...)},
		{"waiting_passes", accounts.Passes, "account", []string{"outcome", "expires", "created"}},
		{"links", accounts.Links, "account", []string{"kind", "note", "expires", "created"}},
		{"links_made", accounts.Links, "by", []string{"kind", "account", "note", "expires", "created"}},
		{"tokens", accounts.Tokens, "person", []string{"id", "name", "mode", "tools", "plugins", "own_surfaces", "daily_writes", "expires", "revoked", "used", "tainted", "taint", "created"}},
		{"uploads", tools.UploadsTable, "person", []string{"id", "token", "name", "type", "size", "state", "expires", "created"}},
		{"grants", accounts.Grants, "person", append([]string{"assistant"}, stamps...)},
		{"consents", accounts.Consents, "person", append([]string{"assistant", "host", "protocol"}, stamps...)},
		{"budget", accounts.Budgets, "person", slices.Concat(amounts, stamps)},
		{"limits", accounts.Limits, "person", slices.Concat(amounts, stamps)},
		{"requests", accounts.Requests, "person", slices.Concat([]string{"kind", "state", "assistant", "note", "decided"}, amounts, stamps)},
		{"usage", tools.UsageTable, "person", []string{"day", "assistant", "currency", "requests", "unpriced", "input_uncached", "cache_read", "cache_write", "output", "cost"}},
		{"usage_under_way", tools.HoldsTable, "person", []string{"day", "assistant", "model", "created", "currency", "cost", "priced", "uncached", "output"}},
		{"turns", tools.TurnsTable, "person", []string{"id", "conversation", "client", "assistant", "state", "created", "ended"}},
	}
}

// keptRows writes them.
func (x *ownExport) keptRows() error {
	for _, k := range rowsKept() {
		err := x.rows(k.name, k.table, k.person, func(rec *core.Record) map[string]any {
			row := make(map[string]any, len(k.columns))
			for _, name := range k.columns {
				row[name] = rec.Get(name)
			}
			return row
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rows writes what rows of a table say of the person.
func (x *ownExport) rows(name, table, person string, say func(*core.Record) map[string]any) error {
	return pages(x, name, func(after string) (rows []map[string]any, next string, err error) {
		var recs []*core.Record
		err = x.pb.RecordQuery(table).AndWhere(dbx.HashExp{person: x.who.Person}).AndWhere(dbx.NewExp("[[id]] > {:after}", dbx.Params{"after": after})).
			OrderBy("id").Limit(exportPage).WithContext(x.e.Request.Context()).All(&recs)
		for _, rec := range recs {
			rows = append(rows, say(rec))
		}
		if len(recs) == exportPage {
			next = recs[exportPage-1].Id
		}
		return rows, next, err
	})
}

// plugins writes what each has for its person: the parts of its own export, each
// of which its tool to restore takes, and what else names them.
func (x *ownExport) plugins() error {
	if err := x.enc.WriteToken(jsontext.String("plugins")); err != nil {
		return err
	}
	if err := x.enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, p := range x.chosen() {
		if err := x.plugin(p); err != nil {
			return err
		}
	}
	return x.enc.WriteToken(jsontext.EndObject)
}

func (x *ownExport) plugin(p tools.Plugin) error {
	if err := x.enc.WriteToken(jsontext.String(p.Name())); err != nil {
		return err
	}
	if err := x.enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	var export tools.Export
	if is, ok := p.(tools.Exporter); ok {
		export = is.Export()
		if err := pages(x, "parts", func(cursor string) ([]jsontext.Value, string, error) { return x.part(p, export.Give, cursor) }); err != nil {
			return err
		}
	}
	members, err := x.pb.FindCachedCollectionByNameOrId(users)
	if err != nil {
		return err
	}
	cols, err := x.pb.FindAllCollections()
	if err != nil {
		return err
	}
	for _, col := range cols {
		short, own := strings.CutPrefix(col.Name, p.Name()+"_")
		if !own || col.IsView() || slices.Contains(export.Lists, short) {
			continue
		}
		for _, f := range col.Fields {
			if rel, ok := f.(*core.RelationField); ok && rel.CollectionId == members.Id && !rel.IsMultiple() {
				if err := x.rows(short, col.Name, rel.Name, (*core.Record).PublicExport); err != nil {
					return err
				}
				break // twice by one name would be no JSON
			}
		}
	}
	return x.enc.WriteToken(jsontext.EndObject)
}

// part reads a part of a plugin's export, as its person sees it.
func (x *ownExport) part(p tools.Plugin, give, cursor string) (parts []jsontext.Value, next string, err error) {
	args, err := json.Marshal(map[string]string{"format": "json", "cursor": cursor})
	if err != nil {
		return nil, "", err
	}
	v, err := x.runner.Read(x.e.Request.Context(), x.who, tools.Invocation{Tool: give, Args: args})
	if err != nil {
		return nil, "", err
	}
	b, err := json.Marshal(v, x.options...)
	if err != nil {
		return nil, "", err
	}
	var out map[string]jsontext.Value
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, "", err
	}
	if raw := out["next"]; raw != nil {
		err = json.Unmarshal(raw, &next)
	}
	delete(out, "next")
	part, failed := json.Marshal(out, json.Deterministic(true))
	if err == nil {
		err = failed
	}
	return []jsontext.Value{part}, next, err
}
