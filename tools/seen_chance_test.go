package tools_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/search"

	"github.com/nodkeep/nodkeep/tools"
)

// seenAtoms make rules, with % for where the fields of the subs are.
var seenAtoms = []string{
	"%flag = true", "%flag != true", "%owner = @request.auth.id", "%owner ?!= @request.auth.id", "@request.auth.id = %owner", "%amount > 1", "%amount ?<= 1",
	"%name ~ 'a'", "%name:lower = 'a'", "%name:isset = 'a'", "%name = ''", "%name != null", "%note !~ %name", "%meta.a = 1", "%meta = 'x'", "%meta:length = 0",
	"%day > '2050'", "%day = ''", "%kind ~ 'a'", "%kind:each = 'a'", "%kind:length > 0", "%tags:length = 0", "%tags ?= ''", "%id != ''", "%id:lower != 'x'",
	"%owner.handle = 'ann'", "%owner.email ~ 'bob'", "%group.name = 'g'", "%group.name != 'g'", "%group.members ~ @request.auth.id", "%group.members.handle ?= 'ann'", "%group.members.handle != 'bob'",
	"%tags.name ?= 't'", "%tags.name = 't'", "%lab_charges_via_sub.amount ?> 3", "%lab_charges_via_sub.amount > 0", "%tags.lab_charges_via_marks.amount ?> 2", "%owner.lab_subs_via_owner.flag ?= true",
	"@collection.lab_tags.name ?= %name", "@collection.lab_tags:t.name != %name", "@collection.lab_subs.flag ?= true", "@request.auth.status = 'approved'", "@request.auth.handle:lower = 'ann'",
	"@request.auth.lab_subs_via_owner.name ?= %name", "@request.auth.email = %name", "@request.auth.none = %name", "@request.body.name:lower < %name", "@request.body.name = %name", "@request.query.a:isset = false",
	"@now > %day", "@second < 99", "geoDistance(%pos.lon, %pos.lat, 0, 0) < 9000", "strftime('~Y', %day) = '2020'", "1 = 1", "true = false", "null = %note",
}

// seenRules sets rules by chance that belong together, nearly so, or not, over
// three collections.
func (b *bench) seenRules(rnd *rand.Rand) string {
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	var rule strings.Builder
	for i := range 1 + rnd.IntN(3) {
		if i > 0 {
			rule.WriteString(pick(" && ", " || ", "&&", " // it's (so\n || "))
		}
		atom := pick(seenAtoms[:[]int{20, len(seenAtoms)}[rnd.IntN(2)]]...) // the first join nothing
		if rnd.IntN(4) == 0 {
			atom = "(" + atom + pick(" || ", " && ") + pick(seenAtoms...) + ")"
		}
		rule.WriteString(atom)
	}
	text := rule.String()
	if strings.Count(text, "_via_")+strings.Count(text, "@collection") > 1 {
		return b.seenRules(rnd) // every record times every record
	}
	if rnd.IntN(5) == 0 {
		text = "%name = 'g' || %members ~ @request.auth.id"
		b.rule("lab_groups", strings.ReplaceAll(text, "%", ""))
		text = strings.ReplaceAll(text, "%", "%group.")
	}
	put := func(rule, prefix string) string {
		return strings.ReplaceAll(strings.ReplaceAll(rule, "%", prefix), "~Y", "%Y")
	}
	above, below := put(text, ""), put(text, pick("sub.", "sub.", "sub.", "sub.", "other."))
	switch rnd.IntN(8) {
	case 0:
		below = strings.Replace(below, "=", "!=", 1)
		below = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(below, "!!=", "="), "?!!=", "?="), "<!=", "<")
	case 1:
		below = strings.Replace(below, "&&", "||", 1)
	case 2:
		below += pick("", " // the same", " && sub != ''")
	}
	b.rule("lab_subs", above)
	b.rule("lab_charges", below)
	return above + " / " + below
}

// TestSeenByChance: whatever the rules are, whatever a run reads and writes, and
// whatever hooks do beside it: what a Call reads is what PocketBase would give.
func TestSeenByChance(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	b := open(t, tools.Config{Limit: 20 * time.Second})
	b.moreBelow()
	api := b.api()
	rnd := rand.New(rand.NewPCG(11, 4))
	subs := b.fillBelow(rnd)
	for i := range 20 {
		b.exec("UPDATE lab_charges SET other='%s', payer='%s', parent='charge%09d', marks=CASE WHEN %d < 4 THEN (SELECT json_array(id) FROM lab_tags) ELSE '[]' END WHERE id='charge%09d'", subs[rnd.IntN(len(subs))], b.ann.Person, rnd.IntN(60), i, i)
	}
	quick, some := 0, 0
	for round := range rounds {
		rule := b.seenRules(rnd)
		for name, who := range map[string]tools.Actor{"ann": b.ann, "bob": b.bob} {
			_, body := api("GET", "lab_charges/records?perPage=500&skipTotal=1", b.token(b.Member(name)), nil)
			listed, err := asPocketBase(b.App, who, tools.Query{})
			if err != nil || strings.Count(body, `"collectionId"`) != len(listed) {
				t.Errorf("%s: PocketBase lists something else than is taken for it here: %s %v", rule, body, err)
			}
			rnd := rand.New(rand.NewPCG(uint64(round), 3))
			_, err = b.Runner.Apply(t.Context(), who, "", b.write(func(c *tools.Call) error {
				var handed []string
				for range 12 {
					if rnd.IntN(3) == 0 {
						b.disturb(c, rnd, subs)
					}
					if len(handed) == 0 || rnd.IntN(3) == 0 {
						if handed, err = look(c, rnd, subs); err != nil {
							return err
						}
					}
					query := belowSome(rnd, handed, subs)
					short := tools.SeesAbove(&c.Reader, "lab_charges", query)
					rows, err := c.Rows("lab_charges", query)
					want, asked := asPocketBase(tools.AppOf(c), who, query)
					if err != nil && asked != nil {
						continue // neither can read a comment within brackets
					}
					if err := errors.Join(err, asked); err != nil {
						return err
					}
					got := []string{}
					for _, row := range rows {
						got = append(got, row.GetString("id"))
					}
					if slices.Sort(got); !slices.Equal(want, got) {
						t.Errorf("%s with %+v:\n%s", rule, query, cmp.Diff(want, got))
					}
					if short {
						if quick++; len(got) > 0 {
							some++
						}
					}
				}
				return errDone
			}))
			if !errors.Is(err, errDone) {
				t.Fatalf("%s: %v, %v", rule, err, errors.Unwrap(err))
			}
		}
	}
	t.Logf("%d times without the rule, %d of them with an answer", quick, some)
	if quick < rounds/2 || some < rounds/3 {
		t.Errorf("%d times without the rule, %d of them with an answer", quick, some)
	}
}

// disturb writes something.
func (b *bench) disturb(c *tools.Call, rnd *rand.Rand, subs []string) {
	b.tb.Helper()
	sub := subs[2+rnd.IntN(len(subs)-2)]
	var err error
	switch rnd.IntN(6) {
	case 0:
		err = add("lab_tags", map[string]any{"name": "t"}, nil)(c)
	case 1, 5:
		if err := add("lab_tags", map[string]any{"name": "refused"}, nil)(c); err == nil {
			b.tb.Error("the hook refuses nothing")
		}
	case 2:
		err = remove("lab_subs", &sub)(c)
	case 3:
		err = update("lab_subs", &sub, map[string]any{"flag": rnd.IntN(2) == 0, "amount": rnd.IntN(4), "owner": c.Actor.Person, "name": "a", "group": ""})(c)
	case 4:
		err = add("lab_charges", map[string]any{"sub": sub, "other": subs[2], "amount": 4}, nil)(c)
	}
	if err != nil && tools.KindOf(err) != tools.NotFound && tools.KindOf(err) != tools.Invalid {
		b.tb.Error(err)
	}
}

// look has a run hand out some subs, and what is beside them; it gives their ids.
func look(c *tools.Call, rnd *rand.Rand, subs []string) (ids []string, err error) {
	query := tools.Query{}
	switch rnd.IntN(4) {
	case 0:
		rec, err := c.Find("lab_subs", subs[rnd.IntN(len(subs))])
		if tools.KindOf(err) == tools.NotFound {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return []string{rec.Id}, nil
	case 1:
		query.Filter = fmt.Sprintf("amount > %d", rnd.IntN(3)-1)
	case 2:
		groups, err := c.List("lab_groups", tools.Query{})
		if err != nil || len(groups) == 0 {
			return nil, err
		}
		if _, err := c.List("users", tools.Query{}); err != nil {
			return nil, err
		}
		query.In = map[string][]string{"group": {groups[0].Id}}
	}
	recs, err := c.List("lab_subs", query)
	for _, rec := range recs {
		ids = append(ids, rec.Id)
	}
	return ids, err
}

// belowSome asks for charges of what was handed out, of some subs, or of
// something else.
func belowSome(rnd *rand.Rand, handed, subs []string) tools.Query {
	ids := slices.Clone(handed)
	if len(ids) == 0 || rnd.IntN(5) == 0 {
		ids = append(ids, subs[rnd.IntN(len(subs))])
	}
	switch rnd.IntN(30) {
	case 0, 1, 2:
	case 3:
		ids = slices.Repeat(ids, 2000)
	default:
		n := rnd.IntN(len(ids))
		ids = ids[n : n+1]
	}
	in := map[string][]string{[]string{"sub", "sub", "sub", "sub", "other", "payer", "parent", "email"}[rnd.IntN(8)]: ids}
	if rnd.IntN(5) == 0 {
		in[[]string{"sub", "other"}[rnd.IntN(2)]] = append(slices.Clone(subs), subs...)
	}
	return tools.Query{In: in, Filter: []string{"", "", "amount > 1", "sub.tags.name ?= 't'"}[rnd.IntN(4)]}
}

// asPocketBase lists charges as PocketBase's API does, but in a transaction.
func asPocketBase(app core.App, who tools.Actor, query tools.Query) ([]string, error) {
	person, err := app.FindRecordById("users", who.Person)
	if err != nil {
		return nil, err
	}
	col, err := app.FindCollectionByNameOrId("lab_charges")
	if err != nil {
		return nil, err
	}
	resolver := core.NewRecordFieldResolver(app, col, &core.RequestInfo{Auth: person, Context: core.RequestInfoContextDefault, Method: "GET"}, true)
	q := app.RecordQuery(col)
	expr, err := search.FilterData(*col.ListRule).BuildExpr(resolver)
	if err != nil {
		return nil, err
	}
	q.AndWhere(expr)
	resolver.SetAllowHiddenFields(false)
	if query.Filter != "" {
		if expr, err = search.FilterData(query.Filter).BuildExpr(resolver); err != nil {
			return nil, err
		}
		q.AndWhere(expr)
	}
	var recs []*core.Record
	if err := errors.Join(resolver.UpdateQuery(q), q.All(&recs)); err != nil {
		return nil, err
	}
	ids := []string{}
	for _, rec := range recs {
		in := true
		for field, values := range query.In {
			in = in && slices.Contains(values, rec.GetString(field))
		}
		if in {
			ids = append(ids, rec.Id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}
