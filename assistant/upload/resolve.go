package upload

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
)

// Resolve puts what uploads stand for into the arguments of a call, as the tool
// takes them: the content of the person's own files, and the rows of one that
// import_read has read. Arguments that name no upload are left as they are.
func (s *Store) Resolve(ctx context.Context, a tools.Actor, inv tools.Invocation) (tools.Invocation, error) {
	t, ok := s.c.Registry.Tool(inv.Tool)
	if !ok || len(inv.Args) == 0 {
		return inv, nil
	}
	args := inv.Args
	var err error
	if s.applies(t.Name) {
		args, err = s.rows(ctx, a, args)
	}
	if err == nil && takesFile(t.Input) {
		args, err = s.fill(ctx, a.Person, t.Input, args)
	}
	inv.Args = args
	return inv, err
}

// fill replaces uploads by files, wherever the schema has one. What has another
// shape than the schema is left to the engine, which says so.
func (s *Store) fill(ctx context.Context, person string, of *jsonschema.Schema, v jsontext.Value) (jsontext.Value, error) {
	if of == nil || !takesFile(of) {
		return v, nil
	}
	switch v.Kind() {
	case '{':
		var fields map[string]jsontext.Value
		if json.Unmarshal(v, &fields) != nil {
			return v, nil
		}
		if isFile(of) || isText(of) {
			return s.file(ctx, person, of, v, fields)
		}
		for name, p := range of.Properties {
			if fields[name] == nil {
				continue
			}
			filled, err := s.fill(ctx, person, p, fields[name])
			if err != nil {
				return nil, err
			}
			fields[name] = filled
		}
		return json.Marshal(fields, json.Deterministic(true))
	case '[':
		var items []jsontext.Value
		if json.Unmarshal(v, &items) != nil {
			return v, nil
		}
		for i := range items {
			var err error
			if items[i], err = s.fill(ctx, person, of.Items, items[i]); err != nil {
				return nil, err
			}
		}
		return json.Marshal(items)
	}
	return v, nil
}

// file is what an upload stands for: name and content, or a text.
func (s *Store) file(ctx context.Context, person string, of *jsonschema.Schema, v jsontext.Value, fields map[string]jsontext.Value) (jsontext.Value, error) {
	if fields["upload"] == nil {
		return v, nil
	}
	var id string
	if json.Unmarshal(fields["upload"], &id) != nil || len(fields) > 1 {
		return nil, tools.Fail(tools.Invalid, "uploads.alone")
	}
	up, err := s.Read(ctx, person, id)
	if err != nil {
		return nil, err
	}
	if isFile(of) {
		return json.Marshal(up)
	}
	if !utf8.Valid(up.Data) {
		return nil, tools.Fail(tools.Invalid, "uploads.no_text", id)
	}
	return json.Marshal(string(up.Data))
}

// rows makes the rows of an import of their numbers, and of what is said beside
// each number.
func (s *Store) rows(ctx context.Context, a tools.Actor, args jsontext.Value) (jsontext.Value, error) {
	var fields map[string]jsontext.Value
	if args.Kind() != '{' || json.Unmarshal(args, &fields) != nil || fields["upload"] == nil {
		return args, nil
	}
	var in struct {
		Upload  string                      `json:"upload"`
		Answers map[string]string           `json:"answers"`
		Rows    []map[string]jsontext.Value `json:"subscriptions"`
	}
	if json.Unmarshal(args, &in) != nil || in.Rows == nil {
		return nil, tools.Fail(tools.Invalid, "uploads.rows")
	}
	review, err := s.review(ctx, a, in.Upload, in.Answers)
	if err != nil {
		return nil, err
	}
	if len(review.Questions) > 0 {
		return nil, tools.Fail(tools.Invalid, "uploads.questions")
	}
	taken := map[int]bool{}
	for i, row := range in.Rows {
		var n int
		if row["row"] == nil || json.Unmarshal(row["row"], &n) != nil {
			return nil, tools.Fail(tools.Invalid, "uploads.rows")
		}
		if n < 0 || n >= len(review.Subscriptions) {
			return nil, errRow(n, len(review.Subscriptions))
		}
		if taken[n] {
			return nil, tools.Fail(tools.Invalid, "uploads.twice", n)
		}
		taken[n] = true
		if in.Rows[i], err = over(review.Subscriptions[n], row); err != nil {
			return nil, err
		}
	}
	for name, v := range map[string]any{"file": review.File, "fingerprint": review.Fingerprint, "subscriptions": in.Rows} {
		if fields[name], err = json.Marshal(v, json.Deterministic(true)); err != nil {
			return nil, err
		}
	}
	delete(fields, "upload")
	delete(fields, "answers")
	return json.Marshal(fields, json.Deterministic(true))
}

// over is a row of the file with what is said otherwise in its place.
func over(r tools.Recurring, said map[string]jsontext.Value) (map[string]jsontext.Value, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var row map[string]jsontext.Value
	if err := json.Unmarshal(b, &row); err != nil {
		return nil, err
	}
	for name, v := range said {
		row[name] = v
	}
	delete(row, "row")
	return row, nil
}
