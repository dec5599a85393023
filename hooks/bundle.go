package hooks

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// bundle is all that a plugin exports: its lists, and what it has one of.
type bundle struct {
	export tools.Export
	alone  map[string]jsontext.Value
	lists  map[string][]jsontext.Value
}

func newBundle(x tools.Export) *bundle {
	return &bundle{x, map[string]jsontext.Value{}, map[string][]jsontext.Value{}}
}

// add joins a part. What is no list is taken once.
func (b *bundle) add(part jsontext.Value) error {
	var fields map[string]jsontext.Value
	if err := json.Unmarshal(part, &fields); err != nil {
		return err
	}
	for name, v := range fields {
		if slices.Contains(b.export.Lists, name) && v.Kind() == jsontext.KindBeginArray {
			var list []jsontext.Value
			if err := json.Unmarshal(v, &list); err != nil {
				return err
			}
			b.lists[name] = append(b.lists[name], list...)
		} else if b.alone[name] == nil {
			b.alone[name] = v
		}
	}
	return nil
}

// json writes the bundle with its lists in their order.
func (b *bundle) json() (jsontext.Value, error) {
	var out bytes.Buffer
	e := jsontext.NewEncoder(&out)
	err := e.WriteToken(jsontext.BeginObject)
	write := func(name string, v any) {
		if err == nil {
			err = e.WriteToken(jsontext.String(name))
		}
		if err == nil {
			err = json.MarshalEncode(e, v)
		}
	}
	if v := b.alone[tools.ExportVersion]; v != nil {
		write(tools.ExportVersion, v)
	}
	for _, name := range slices.Sorted(maps.Keys(b.alone)) {
		if name != tools.ExportVersion {
			write(name, b.alone[name])
		}
	}
	for _, name := range b.export.Lists {
		if len(b.lists[name]) > 0 {
			write(name, b.lists[name])
		}
	}
	if err == nil {
		err = e.WriteToken(jsontext.EndObject)
	}
	return bytes.TrimSpace(out.Bytes()), err
}

// parts cuts the bundle into what one call takes each, in order.
func (b *bundle) parts() ([]jsontext.Value, error) {
	part := newBundle(b.export)
	part.alone = b.alone
	var all []jsontext.Value
	records, size := 0, 0
	for name, v := range b.alone {
		if name != tools.ExportVersion {
			records, size = records+1, size+len(v)
		}
	}
	end := func() error {
		v, err := part.json()
		all = append(all, v)
		part, records, size = newBundle(b.export), 0, 0
		if v := b.alone[tools.ExportVersion]; v != nil {
			part.alone[tools.ExportVersion] = v
		}
		return err
	}
	for _, name := range b.export.Lists {
		for _, v := range b.lists[name] {
			if err := v.Compact(); err != nil {
				return nil, err
			}
			if records > 0 && (records >= b.export.Records || size+len(v)+1 > b.export.Bytes) {
				if err := end(); err != nil {
					return nil, err
				}
			}
			part.lists[name] = append(part.lists[name], v)
			records, size = records+1, size+len(v)+1
		}
	}
	return all, end()
}

// says counts what is in the lists: "categories 1, payment methods 3".
func (b *bundle) says() string {
	var words []string
	for _, name := range b.export.Lists {
		if n := len(b.lists[name]); n > 0 {
			words = append(words, fmt.Sprintf("%s %d", strings.ReplaceAll(name, "_", " "), n))
		}
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}
