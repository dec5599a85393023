package hooks

import (
	"bytes"
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
)

// names are those of ids, so that what is expected is the same each time.
type names map[string]string

var (
	anID  = regexp.MustCompile(`\b[a-z0-9]{15}\b`)
	aName = regexp.MustCompile(`\$\{([^}]+)\}`)
)

// give names an id, unless it has a name.
func (n names) give(id, name string) {
	if _, has := n[id]; has || !anID.MatchString(id) || len(id) != 15 {
		return
	}
	free := name
	for i := 2; slices.Contains(slices.Collect(maps.Values(n)), free); i++ {
		free = name + "-" + strconv.Itoa(i)
	}
	n[id] = free
}

// ids puts ids in the place of their names.
func (n names) ids(text string) string {
	return aName.ReplaceAllStringFunc(text, func(s string) string {
		for id, name := range n {
			if "${"+name+"}" == s {
				return id
			}
		}
		return s
	})
}

// said puts names in the place of ids.
func (n names) said(text string) string {
	return anID.ReplaceAllStringFunc(text, func(id string) string {
		if name, has := n[id]; has {
			return "${" + name + "}"
		}
		return id
	})
}

// hear names what events tell of.
func (n names) hear(events []assistant.Event) {
	for _, e := range events {
		var v any
		if json.Unmarshal(e.Data, &v) == nil {
			kind := "turn"
			if e.Kind == assistant.EventForm {
				kind = "form"
			}
			if e.Kind == assistant.EventProposal {
				kind = "card"
			}
			n.walk(v, kind)
		}
	}
}

// walk names the ids of a value: its own by kind, others by the field that they
// stand in, those of records by what they are called.
func (n names) walk(v any, kind string) {
	switch v := v.(type) {
	case map[string]any:
		id, _ := v["id"].(string)
		switch {
		case v["collection"] != nil && v["label"] != nil:
			n.give(id, slug(fmt.Sprint(v["label"])))
		case v["items"] != nil && v["digest"] != nil:
			n.give(id, "card")
		case kind != "":
			n.give(id, kind)
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if s, ok := v[k].(string); ok {
				switch k {
				case "turn", "conversation":
					n.give(s, k)
				case "replaced_by":
					n.give(s, "card")
				}
			}
			if all, ok := v[k].([]any); ok && k == "audit" {
				for _, s := range all {
					n.give(fmt.Sprint(s), "audit")
				}
			}
			n.walk(v[k], "")
		}
	case []any:
		for _, one := range v {
			n.walk(one, "")
		}
	}
}

func slug(s string) string {
	return strings.Trim(regexp.MustCompile(`[^\p{L}\p{N}]+`).ReplaceAllString(strings.ToLower(s), "-"), "-")
}

// learn names what the database has.
func (n names) learn(c *conversing) {
	for _, u := range c.all(users) {
		n.give(u.Id, u.GetString("handle"))
	}
	for _, col := range c.collections() {
		for _, rec := range c.all(col) {
			name := rec.GetString("name")
			if name == "" {
				name = strings.TrimSuffix(strings.TrimPrefix(col, "household_"), "s")
			}
			n.give(rec.Id, slug(name))
		}
	}
	for table, name := range map[string]string{"nodkeep_audit": "entry", "nodkeep_turns": "turn", "nodkeep_proposals": "card"} {
		var all []string
		if err := c.pb.DB().Select("id").From(table).OrderBy("rowid").Column(&all); err != nil {
			c.t.Fatal(err)
		}
		for _, id := range all {
			n.give(id, name)
		}
	}
}

func (c *conversing) collections() (all []string) {
	err := c.pb.DB().Select("name").From("_collections").Where(dbx.NewExp("[[name]] LIKE 'household\\_%' ESCAPE '\\'")).AndWhere(dbx.HashExp{"type": "base"}).OrderBy("name").Column(&all)
	if err != nil {
		c.t.Fatal(err)
	}
	return all
}

func (c *conversing) all(collection string) []*core.Record {
	recs, err := c.pb.FindRecordsByFilter(collection, "", "@rowid", 0, 0)
	if err != nil {
		c.t.Fatal(collection, err)
	}
	return recs
}

// records are those of the household as they are in the end, without what is
// empty.
func (c *conversing) records() string {
	var b strings.Builder
	for _, col := range c.collections() {
		for _, rec := range c.all(col) {
			is := map[string]any{}
			for _, f := range rec.Collection().Fields {
				switch v := rec.Get(f.GetName()); {
				case f.Type() == core.FieldTypeAutodate, f.GetName() == "id":
				case slices.Contains([]string{"", "0", "false", "[]", "null", "{}"}, compact(v)), compact(v) == `""`:
				default:
					is[f.GetName()] = v
				}
			}
			fmt.Fprintf(&b, "%s ${%s} %s\n", col, c.names[rec.Id], flow(jsontext.Value(compact(is)), ""))
		}
	}
	return c.names.said(b.String())
}

func compact(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// eventsText are events, each a number, a kind and JSON. Tools of one answer run
// side by side: of those without anything between, all that began come first.
func eventsText(events []assistant.Event, whole bool) string {
	events = slices.Clone(events)
	for i := 0; i < len(events); {
		to := i
		for to < len(events) && events[to].Kind == assistant.EventTool {
			to++
		}
		if to > i {
			settle(events[i:to])
		}
		i = max(to, i+1)
	}
	var b strings.Builder
	for i, e := range events {
		fmt.Fprintf(&b, "%d %s %s\n", i+1, e.Kind, flow(slim(e.Data, whole), ""))
	}
	return b.String()
}

func settle(events []assistant.Event) {
	var order []string
	state := func(e assistant.Event) (name, state string) {
		var is struct {
			Name  string              `json:"name"`
			State assistant.ToolState `json:"state"`
		}
		if err := json.Unmarshal(e.Data, &is); err != nil {
			panic(err)
		}
		return is.Name, string(is.State)
	}
	for _, e := range events {
		if name, s := state(e); s == "started" {
			order = append(order, name)
		}
	}
	slices.SortStableFunc(events, func(a, b assistant.Event) int {
		an, as := state(a)
		bn, bs := state(b)
		if (as == "started") != (bs == "started") {
			if as == "started" {
				return -1
			}
			return 1
		}
		if as == "started" {
			return 0
		}
		return cmp.Or(slices.Index(order, an)-slices.Index(order, bn), cmp.Compare(as, bs))
	})
}

// slim is JSON without what a reader knows or need not see: a sentence is its
// text, an empty value is left out, what changed is a line. Whole, it is as it is
// but for what is another each time.
func slim(raw jsontext.Value, whole bool) jsontext.Value {
	switch raw.Kind() {
	case '{':
		is := members(raw)
		value := func(name string) jsontext.Value {
			for _, m := range is {
				if m.name == name {
					return m.value
				}
			}
			return nil
		}
		if !whole {
			if len(is) == 3 && value("text") != nil && value("key") != nil && value("args") != nil {
				return value("text")
			}
			if value("op") != nil && value("collection") != nil {
				return changeLine(raw)
			}
		}
		decided := len(value("by")) > 2 && string(value("by")) != `"assistant"`
		one := !decided && value("items") != nil && value("card") != nil && strings.Count(string(value("items")), `"effect"`) == 1
		is = slices.DeleteFunc(is, func(m member) bool {
			if whole {
				return false
			}
			switch m.name {
			case "actor", "usage", "cards", "created", "conflicts_with":
				return true
			case "card":
				return one
			case "items": // who has decided has seen them
				return decided
			}
			return slices.Contains([]string{`""`, "0", "false", "[]", "null", "{}"}, string(m.value)) && m.name != "text"
		})
		var b bytes.Buffer
		b.WriteByte('{')
		for i, m := range is {
			if i > 0 {
				b.WriteByte(',')
			}
			if m.name == "digest" && len(m.value) > 2 {
				m.value = jsontext.Value(`"…"`)
			}
			b.WriteString(strconv.Quote(m.name) + ":")
			b.Write(slim(m.value, whole))
		}
		b.WriteByte('}')
		return b.Bytes()
	case '[':
		var b bytes.Buffer
		b.WriteByte('[')
		for i, v := range elements(raw) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(slim(v, whole))
		}
		b.WriteByte(']')
		return b.Bytes()
	}
	return raw
}

// changeLine says what changed in a line.
func changeLine(raw jsontext.Value) jsontext.Value {
	var c struct {
		Op, Collection, ID, Label string
		Hidden                    int
		Fields                    []struct{ Label, Before, After string }
	}
	if err := json.Unmarshal(raw, &c, json.MatchCaseInsensitiveNames(true)); err != nil {
		panic(err)
	}
	says := c.Op + " " + c.ID + " " + c.Label
	for i, f := range c.Fields {
		says += []string{"; ", ": "}[min(1, max(0, 1-i))] + f.Label + " " + f.Before + " → " + f.After
	}
	if c.Hidden > 0 {
		says += fmt.Sprintf(" (%d hidden)", c.Hidden)
	}
	b, err := json.Marshal(says)
	if err != nil {
		panic(err)
	}
	return b
}

type member struct {
	name  string
	value jsontext.Value
}

func members(raw jsontext.Value) (all []member) {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := d.ReadToken(); err != nil {
		panic(err)
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			panic(err)
		}
		m := member{name: name.String()}
		v, err := d.ReadValue()
		if err != nil {
			panic(err)
		}
		m.value = v.Clone()
		all = append(all, m)
	}
	return all
}

func elements(raw jsontext.Value) (all []jsontext.Value) {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := d.ReadToken(); err != nil {
		panic(err)
	}
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		if err != nil {
			panic(err)
		}
		all = append(all, v.Clone())
	}
	return all
}

// flow is JSON in lines that can be read, each value in one where it fits.
func flow(raw jsontext.Value, indent string) string {
	const wide = 130
	raw = raw.Clone()
	if err := raw.Compact(); err != nil {
		return string(raw)
	}
	if len(raw)+len(indent) <= wide || raw.Kind() != '{' && raw.Kind() != '[' {
		return string(raw)
	}
	var b strings.Builder
	deeper := indent + "  "
	b.WriteByte(raw[0])
	if raw.Kind() == '{' {
		for i, m := range members(raw) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n" + deeper + strconv.Quote(m.name) + ": " + flow(m.value, deeper))
		}
	} else {
		for i, v := range elements(raw) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n" + deeper + flow(v, deeper))
		}
	}
	b.WriteString("\n" + indent)
	b.WriteByte(raw[len(raw)-1])
	return b.String()
}

// messagesText are messages from one on, as a model gets them.
//
// A briefing is the same each time but for what is going on: it is shown where the
// whole is.
func messagesText(all []gateway.Message, from int, whole bool) string {
	var b strings.Builder
	if from > 0 {
		fmt.Fprintf(&b, "(%d messages before)\n", from)
	}
	var open []gateway.Call
	for _, m := range all[from:] {
		switch m.Role {
		case gateway.User:
			for i, p := range m.Parts {
				if i == 0 {
					b.WriteString("user\n")
				} else {
					b.WriteString("  ·\n")
				}
				if p.Media == gateway.Text {
					b.WriteString(inset(p.Text))
				} else {
					fmt.Fprintf(&b, "  (%s %s %s, %d bytes)\n", p.Media, p.Type, p.Name, len(p.Data))
				}
			}
		case gateway.Assistant:
			b.WriteString("model\n" + inset(m.Text))
			for _, c := range m.Calls {
				fmt.Fprintf(&b, "  → %s %s\n", c.Name, flow(c.Args, "  "))
			}
			open = m.Calls
		case gateway.Tools:
			for i, r := range m.Results {
				what := ""
				if r.Error {
					what = ", failed"
				}
				fmt.Fprintf(&b, "result of %s%s\n%s", open[i].Name, what, inset(r.Text))
			}
		}
	}
	return briefly(b.String(), whole)
}

// briefly leaves out a briefing.
func briefly(text string, whole bool) string {
	if whole {
		return text
	}
	return briefed.ReplaceAllString(text, "$1  …\n$2")
}

// briefed is a briefing as it is shown.
var briefed = regexp.MustCompile(`(?s)(  <data source="what is going on">\n).*?(  </data>\n)`)

// inset is text in lines that begin with two spaces, JSON in it in lines that can
// be read.
func inset(text string) string {
	var b strings.Builder
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if raw := jsontext.Value(l); strings.HasPrefix(l, "{") && raw.IsValid() {
			l = flow(raw, "  ")
		}
		if l != "" {
			l = "  " + l
		}
		b.WriteString(l + "\n")
	}
	if text == "" {
		return ""
	}
	return b.String()
}

// hostText is what a host was sent as messages.
func hostText(a fake.Asked, whole bool) string {
	var b strings.Builder
	all, _ := a.Body["messages"].([]any)
	for _, m := range all {
		is, _ := m.(map[string]any)
		if is["role"] == "system" {
			continue
		}
		fmt.Fprintf(&b, "%v\n", is["role"])
		switch content := is["content"].(type) {
		case string:
			b.WriteString(inset(content))
		case []any:
			for i, p := range content {
				if i > 0 {
					b.WriteString("  ·\n")
				}
				if part, _ := p.(map[string]any); part["text"] != nil {
					b.WriteString(inset(fmt.Sprint(part["text"])))
				} else {
					b.WriteString(inset(compact(p)))
				}
			}
		}
	}
	return briefly(b.String(), whole)
}
