package hooks

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// newDesk is an instance with the operator ann and the assistant local of the
// environment.
func newDesk(t *testing.T, env ...string) (i *instance, ann, bob string) {
	t.Helper()
	i = newInstance(t, append([]string{"ASSISTANTS=local", "ASSISTANT_LOCAL_BASE_URL=http://127.0.0.1:11434", "ASSISTANT_LOCAL_MODEL=small"}, env...)...)
	i.makeOperator("ann")
	return i, i.token("ann"), i.token("bob")
}

// nod sends a body to one of our routes, with the nod that it wants.
func (i *instance) nod(path, token, body string) (int, answer) {
	i.t.Helper()
	status, a := i.web("POST", prefix+path, token, body)
	if status == 409 && a.str("data", "kind") == string(tools.DigestRequired) {
		return i.web("POST", prefix+path, token, body, digestHeader, a.str("data", "digest"))
	}
	return status, a
}

func (i *instance) must(path, token, body string) answer {
	i.t.Helper()
	status, a := i.nod(path, token, body)
	want(i.t, status, a, 200, "")
	return a
}

func (i *instance) see(path, token string) answer {
	i.t.Helper()
	status, a := i.web("GET", prefix+path, token, "")
	want(i.t, status, a, 200, "")
	return a
}

// TestAssistantsOfOperators: each field is looked at, null says it no more, the
// environment's stay, and the key comes back from nowhere.
func TestAssistantsOfOperators(t *testing.T) {
	i, ann, _ := newDesk(t)
	for body, key := range map[string]string{
		`{"id":"Cloud","model":"m","protocol":"openai"}`:                                          "nodkeep.error.assistant_id",
		`{"id":null,"model":"m"}`:                                                                 "nodkeep.error.assistant_id",
		`{"id":"cloud"}`:                                                                          "nodkeep.error.nothing",
		`{"id":"cloud","model":"m"}`:                                                              "nodkeep.error.assistant_where",
		`{"id":"cloud","base_url":"https://a.example"}`:                                           "nodkeep.error.assistant_model",
		`{"id":"cloud","model":"two words","protocol":"openai"}`:                                  "nodkeep.error.assistant_field.model",
		`{"id":"cloud","model":"m","protocol":"gopher"}`:                                          "nodkeep.error.assistant_field.protocol",
		`{"id":"cloud","model":"m","base_url":"ftp://a.example"}`:                                 "nodkeep.error.assistant_field.base_url",
		`{"id":"cloud","model":"m","base_url":"https://u:p@a.example"}`:                           "nodkeep.error.assistant_field.base_url",
		`{"id":"cloud","model":"m","base_url":"https://a.example/?key=1"}`:                        "nodkeep.error.assistant_field.base_url",
		`{"id":"cloud","model":"m","base_url":"https://a.example/#x"}`:                            "nodkeep.error.assistant_field.base_url",
		`{"id":"cloud","model":"m","base_url":"a.example"}`:                                       "nodkeep.error.assistant_field.base_url",
		`{"id":"cloud","model":"m","protocol":"openai","images":"some"}`:                          "nodkeep.error.assistant_field.images",
		`{"id":"cloud","model":"m","protocol":"openai","effort":"much"}`:                          "nodkeep.error.assistant_field.effort",
		`{"id":"cloud","model":"m","protocol":"openai","max_effort":"much"}`:                      "nodkeep.error.assistant_field.effort",
		`{"id":"cloud","model":"m","protocol":"openai","effort":"max","max_effort":"low"}`:        "nodkeep.error.assistant_effort",
		`{"id":"cloud","model":"m","protocol":"openai","mode":"all"}`:                             "nodkeep.error.assistant_field.mode",
		`{"id":"cloud","model":"m","protocol":"openai","price_input":-1}`:                         "nodkeep.error.assistant_field.price",
		`{"id":"cloud","model":"m","protocol":"openai","price_output":"0.0000001"}`:               "nodkeep.error.assistant_field.price",
		`{"id":"cloud","model":"m","protocol":"openai","price_input":"1,5"}`:                      "nodkeep.error.assistant_field.price",
		`{"id":"cloud","model":"m","protocol":"openai","price_input":"1"}`:                        "nodkeep.error.assistant_prices",
		`{"id":"cloud","model":"m","protocol":"openai","key":"two words"}`:                        "nodkeep.error.assistant_field.key",
		`{"id":"cloud","model":"m","protocol":"openai","name":"` + strings.Repeat("x", 81) + `"}`: "nodkeep.error.assistant_field.name",
		`{"id":"cloud","model":["m"],"protocol":"openai"}`:                                        "error.arguments",
		`{"id":"cloud","secret":"x"}`:                                                             "error.arguments",
	} {
		status, a := i.nod("/operator/assistants", ann, body)
		want(t, status, a, 400, tools.Invalid)
		if a.str("data", "text", "key") != key {
			t.Errorf("%s: %s", body, a)
		}
	}
	const secret = "sk-correct-horse-77"
	a := i.must("/operator/assistants", ann, `{"id":"cloud","model":"gpt-5","base_url":"https://api.openai.com/v1/chat/completions","key":"`+secret+`","images":true,"price_input":2.5,"price_output":"10","effort":"High"}`)
	if strings.Contains(a.String(), secret) || a.at("output", "key") != true || a.str("output", "base_url") != "https://api.openai.com/v1" || a.at("receipt", "undo_until") != nil ||
		a.str("output", "host") != "api.openai.com" || a.str("output", "protocol") != "openai-responses" || a.str("output", "mode") != "ask" { // as it is used from now on
		t.Errorf("%s", a)
	}
	is, err := i.roster.Get(t.Context(), "cloud")
	if err != nil || is.Key != secret || !is.Images || is.Effort != "high" || !is.Ready() || is.Prices == nil {
		t.Errorf("%+v %v", is, err)
	}
	i.must("/operator/assistants", ann, `{"id":"cloud","effort":null,"price_input":null,"price_output":""}`)
	all := i.see("/operator/assistants", ann)
	if all.len("items") != 2 || all.str("items", "0", "id") != "cloud" || all.str("items", "0", "effort") != "" || all.str("items", "0", "price_input") != "" || all.at("items", "0", "key") != true ||
		all.str("items", "0", "protocol") != "openai-responses" || all.str("items", "0", "from", "model") != "operator" || all.at("items", "0", "from", "protocol") != nil || all.str("items", "0", "host") != "api.openai.com" {
		t.Errorf("%s", all)
	}
	if all.str("items", "1", "model") != "small" || all.at("items", "1", "local") != true || all.str("items", "1", "from", "model") != "environment" || !strings.Contains(fmt.Sprint(all.at("items", "1", "locked")), "base_url") {
		t.Errorf("%s", all)
	}
	status, a := i.nod("/operator/assistants", ann, `{"id":"local","model":"other"}`)
	want(t, status, a, 409, tools.Conflict)
	if !strings.Contains(a.str("message"), "ASSISTANT_LOCAL_MODEL") {
		t.Errorf("%s", a)
	}
	status, a = i.nod("/operator/assistants", ann, `{"id":"local","key":"sk-1"}`) // it would go where the environment says
	want(t, status, a, 409, tools.Conflict)

	// A key goes with the address that it was for.
	i.must("/operator/assistants", ann, `{"id":"cloud","base_url":"https://elsewhere.example"}`)
	if is, err := i.roster.Get(t.Context(), "cloud"); err != nil || is.Key != "" || is.Host != "elsewhere.example" {
		t.Errorf("%+v %v", is, err)
	}
	status, a = i.web("POST", prefix+"/operator/assistants/cloud/remove", ann, "")
	want(t, status, a, 409, tools.DigestRequired)
	i.must("/operator/assistants/cloud/remove", ann, "")
	if all := i.see("/operator/assistants", ann); all.len("items") != 1 {
		t.Errorf("%s", all)
	}
	for _, path := range []string{"/operator/assistants", "/audit", "/operator/settings", "/me/assistants"} {
		if said := i.see(path, ann); strings.Contains(said.String(), secret) {
			t.Errorf("%s tells the key", path)
		}
	}
	cols, err := i.pb.FindAllCollections()
	if err != nil {
		t.Fatal(err)
	}
	for _, col := range cols {
		if !col.IsView() && strings.Contains(i.text(col.Name), secret) {
			t.Errorf("the key stands in %s", col.Name)
		}
	}
}

// TestWhatAssistantsCost: an operator sees the prices that count and who says
// so, and where nobody does, that too.
func TestWhatAssistantsCost(t *testing.T) {
	env := []string{
		"ASSISTANTS=env,local,sol", "ASSISTANT_LOCAL_BASE_URL=http://127.0.0.1:11434", "ASSISTANT_LOCAL_MODEL=small", "ASSISTANT_ENV_PROTOCOL=anthropic", "ASSISTANT_ENV_MODEL=m", "ASSISTANT_ENV_PRICE_INPUT=3", "ASSISTANT_ENV_PRICE_OUTPUT=0.25", "ASSISTANT_ENV_PRICE_CACHE_READ=0",
		"ASSISTANT_SOL_BASE_URL=https://api.openai.com/v1", "ASSISTANT_SOL_MODEL=gpt-6-sol",
	}
	costs := func(i *instance, id string) (a answer) {
		t.Helper()
		for _, item := range i.see("/operator/assistants", i.token("ann")).at("items").([]any) {
			if is := (answer{item}); is.str("id") == id {
				return answer{is.at("prices")}
			}
		}
		t.Fatalf("there is no %s", id)
		return a
	}
	i := newInstance(t, env...)
	i.makeOperator("ann")
	i.must("/operator/assistants", i.token("ann"), `{"id":"mine","model":"gpt-6-sol","base_url":"https://api.openai.com/v1","price_input":"1.5","price_output":"2"}`)
	if p := costs(i, "env"); p.str("from") != "environment" || p.str("input") != "3.00" || p.str("output") != "0.25" || p.str("cache_read") != "0.00" || p.str("cache_write") != "3.00" || p.str("source") != "" || p.str("currency") != "USD" {
		t.Errorf("%s", p)
	}
	if p := costs(i, "mine"); p.str("from") != "operator" || p.str("input") != "1.50" || p.str("checked") != "" {
		t.Errorf("%s", p)
	}
	if p := costs(i, "sol"); p.str("from") != "table" || p.str("input") != "2.00" || p.str("tiers", "0", "output") != "15.00" || p.at("tiers", "0", "above") != 272000.0 || !strings.HasPrefix(p.str("source"), "https://") || p.str("checked") == "" || p.str("valid_from") == "" {
		t.Errorf("%s", p)
	}
	if p := costs(i, "local"); p.str("from") != "unknown" || p.str("input") != "" || p.len("tiers") != 0 {
		t.Errorf("%s", p)
	}
	// The table is in dollars.
	i = newInstance(t, append(env, "ASSISTANT_CURRENCY=EUR")...)
	i.makeOperator("ann")
	if p := costs(i, "sol"); p.str("from") != "unknown" || p.str("currency") != "EUR" {
		t.Errorf("%s", p)
	}
}

// TestBudgetsOfOperators: for several at once, with numbers and null, and never
// by who has not seen what stands.
func TestBudgetsOfOperators(t *testing.T) {
	i, ann, bob := newDesk(t)
	for _, body := range []string{
		``, `{}`, `{"everybody":true}`, `{"day_cost":"1"}`, `{"everybody":true,"accounts":["bob"],"day_cost":"1"}`, `{"everybody":true,"day_cost":-1}`,
		`{"everybody":true,"day_cost":"1,50"}`, `{"everybody":true,"day_cost":1e300}`, `{"everybody":true,"day_tokens":1.5}`, `{"everybody":true,"day_tokens":"many"}`,
		`{"everybody":true,"day_cost":["1"]}`, `{"everybody":"yes","day_cost":"1"}`, `{"accounts":"bob","day_cost":"1"}`, `{"everybody":true,"day_cost":"1","seen":"x"}`,
	} {
		status, a := i.nod("/operator/budgets", ann, body)
		want(t, status, a, 400, tools.Invalid)
	}
	status, a := i.nod("/operator/budgets", ann, `{"accounts":["bob","nobody"],"day_cost":"1"}`)
	want(t, status, a, 404, tools.NotFound)
	if n := i.see("/operator/budgets", ann); n.len("items") != 0 || n.at("everybody") != nil {
		t.Errorf("half of it was done: %s", n)
	}
	i.must("/operator/budgets", ann, `{"everybody":true,"day_cost":0.5,"month_tokens":1000000}`)
	out := i.must("/operator/budgets", ann, `{"accounts":["bob","`+i.user("ann").Id+`"],"day_cost":"2","month_tokens":null,"day_tokens":0}`)
	if out.len("output", "items") != 2 || out.str("output", "items", "0", "day_cost") != "2.00" || out.at("output", "items", "0", "month_tokens") != nil || out.at("output", "items", "1", "day_tokens") != 0.0 {
		t.Errorf("%s", out)
	}
	list := i.see("/operator/budgets", ann)
	if list.len("items") != 2 || list.str("everybody", "day_cost") != "0.50" || list.at("everybody", "month_tokens") != 1e6 || list.str("currency") != "USD" {
		t.Errorf("%s", list)
	}
	seen := list.str("everybody", "updated")
	time.Sleep(2 * time.Millisecond)
	i.must("/operator/budgets", ann, `{"everybody":true,"day_cost":"3","seen":"`+seen+`"}`)
	status, a = i.nod("/operator/budgets", i.superuser(), `{"everybody":true,"day_cost":"9","seen":"`+seen+`"}`)
	want(t, status, a, 409, tools.Conflict)
	if !strings.Contains(a.str("message"), "At most 3.00 USD a day") {
		t.Errorf("%s", a)
	}
	for token, want := range map[string]string{ann: "2.00", bob: "2.00"} {
		use := i.see("/me/usage", token)
		if use.len("limits") != 2 || use.str("limits", "0", "which") != "day_cost" || use.at("limits", "0", "left") != 2e6 || use.at("limits", "0", "own") != false {
			t.Errorf("%s, want %s", use, want)
		}
	}
	i.must("/operator/budgets", ann, `{"accounts":["bob"],"default":true}`)
	if use := i.see("/me/usage", bob); use.at("limits", "0", "limit") != 3e6 {
		t.Errorf("%s", use)
	}
	// The machine's own command, by handle.
	status, a = i.local("POST", "/operator/budgets", "", `{"accounts":["bob"],"day_cost":null}`)
	want(t, status, a, 200, "")
}

// TestWhoMayUseWhat: grants, agreements and requests, from both sides.
func TestWhoMayUseWhat(t *testing.T) {
	i, ann, bob := newDesk(t)
	i.must("/operator/assistants", ann, `{"id":"cloud","model":"m","base_url":"https://models.example","name":"Cloud"}`)
	mine := i.see("/me/assistants", bob)
	if mine.len("items") != 0 || mine.len("more") != 2 || mine.str("more", "0", "id") != "local" {
		t.Errorf("%s", mine)
	}
	status, a := i.nod("/me/consents", bob, `{"assistant":"cloud"}`)
	want(t, status, a, 403, tools.Forbidden)
	status, a = i.nod("/me/consents", bob, `{"assistant":"none"}`)
	want(t, status, a, 404, tools.NotFound)
	i.must("/me/more", bob, `{"assistant":"cloud","note":"for the taxes"}`)
	status, a = i.nod("/me/more", bob, `{"assistant":"cloud"}`)
	want(t, status, a, 409, tools.Conflict)
	asked := i.see("/operator/requests", ann)
	if asked.len("items") != 1 || asked.str("items", "0", "handle") != "bob" || asked.str("items", "0", "note") != "for the taxes" || i.see("/operator/overview", ann).at("requests") != 1.0 {
		t.Errorf("%s", asked)
	}
	i.must("/operator/requests/"+asked.str("items", "0", "id")+"/approve", ann, "")
	status, a = i.nod("/operator/requests/"+asked.str("items", "0", "id")+"/refuse", ann, "")
	want(t, status, a, 409, tools.Conflict)
	a = i.must("/me/consents", bob, `{"assistant":"cloud","host":"models.example"}`)
	if a.at("output", "agreed") != true || a.str("output", "goes", "key") != "nodkeep.goes.unnamed" { // this host has no field for who asks
		t.Errorf("%s", a)
	}
	mine = i.see("/me/assistants", bob)
	if mine.len("items") != 1 || mine.at("items", "0", "agreed") != true || mine.str("items", "0", "name") != "Cloud" || !strings.Contains(mine.str("items", "0", "goes", "text"), "models.example") {
		t.Errorf("%s", mine)
	}
	// At another host it is asked again; withdrawing needs no card.
	i.must("/operator/assistants", ann, `{"id":"cloud","base_url":"https://other.example"}`)
	if mine := i.see("/me/assistants", bob); mine.at("items", "0", "agreed") != false {
		t.Errorf("%s", mine)
	}
	i.must("/me/consents", bob, `{"assistant":"cloud"}`)
	status, a = i.web("DELETE", prefix+"/me/consents/cloud", bob, "")
	want(t, status, a, 200, "")
	status, a = i.web("DELETE", prefix+"/me/consents/cloud", bob, "")
	want(t, status, a, 409, tools.Conflict)

	i.must("/operator/grants", ann, `{"assistant":"local","allow":true,"everybody":true}`)
	i.must("/operator/grants", ann, `{"assistant":"local","allow":true,"accounts":["ann","bob"]}`)
	if all := i.see("/operator/grants?assistant=local", ann); all.len("items") != 3 {
		t.Errorf("%s", all)
	}
	status, a = i.web("POST", prefix+"/operator/grants", ann, `{"assistant":"local","allow":false,"accounts":["bob"]}`)
	want(t, status, a, 409, tools.DigestRequired)
	i.must("/operator/grants", ann, `{"assistant":"local","allow":false,"accounts":["bob"]}`)
	if all := i.see("/operator/grants?account=bob", ann); all.len("items") != 1 || all.str("items", "0", "assistant") != "cloud" {
		t.Errorf("%s", all)
	}
	for _, body := range []string{`{"assistant":"local","allow":true}`, `{"assistant":"local","everybody":true}`, `{"allow":true,"everybody":true}`} {
		status, a := i.nod("/operator/grants", ann, body)
		want(t, status, a, 400, tools.Invalid)
	}

	// More money: twice what is used up, and as much as the operator says.
	i.must("/operator/budgets", ann, `{"everybody":true,"day_cost":"1"}`)
	status, a = i.nod("/me/more", bob, `{}`)
	want(t, status, a, 400, tools.Invalid)
	i.used(i.user("bob").Id, time.Now().UTC().Format(time.DateOnly), "local", 950_000)
	a = i.must("/me/more", bob, `{}`)
	if a.str("output", "day_cost") != "2.00" {
		t.Errorf("%s", a)
	}
	i.must("/operator/requests/"+a.str("output", "id")+"/approve", ann, `{"day_cost":5}`)
	if use := i.see("/me/usage", bob); use.at("limits", "0", "limit") != 5e6 || use.at("limits", "0", "used") != 950_000.0 {
		t.Errorf("%s", use)
	}
	if own := i.see("/me/more", bob); own.len("items") != 2 || own.str("items", "1", "state") != "approved" {
		t.Errorf("%s", own)
	}
	if own := i.see("/me/more", ann); own.len("items") != 0 {
		t.Errorf("%s", own)
	}
	i.must("/me/limits", bob, `{"day_cost":"0.10","month_tokens":500}`)
	i.must("/me/limits", bob, `{"month_tokens":null}`)
	if use := i.see("/me/usage", bob); use.str("own", "day_cost") != "0.10" || use.at("own", "month_tokens") != nil || use.len("limits") != 2 || use.at("limits", "1", "left") != 0.0 {
		t.Errorf("%s", use)
	}
}

// used writes what the ledger would.
func (i *instance) used(person, day, assistant string, cost int64) {
	i.t.Helper()
	_, err := i.pb.NonconcurrentDB().Insert(tools.UsageTable, dbx.Params{
		"id": fmt.Sprint(person, day, assistant), "person": person, "day": day, "assistant": assistant, "currency": "USD", "requests": 1, "output": 10, "cost": cost,
	}).Execute()
	if err != nil {
		i.t.Fatal(err)
	}
}

// TestFigures: months oldest first, a page at a time, for operators alone, and
// handles to choose from.
func TestFigures(t *testing.T) {
	i, ann, bob := newDesk(t)
	id := i.user("bob").Id
	for n := range 60 {
		i.used(id, fmt.Sprintf("2026-%02d-%02d", 9+n%3, 1+n/3), "local", int64(n+1))
	}
	i.used("", "2026-11-30", "local", 7) // of who is gone
	months := i.see("/operator/figures", ann)
	if months.len("items") != 4 || months.str("items", "0", "month") != "2026-09" || months.str("items", "0", "handle") != "bob" || months.at("items", "0", "requests") != 20.0 || months.str("currency") != "USD" || months.str("items", "2", "person") != "" {
		t.Errorf("%s", months)
	}
	var days []string
	for cursor := ""; len(days) < 200; {
		page := i.see("/operator/figures?by=day&account=bob&cursor="+cursor, ann)
		if n := page.len("items"); n > 50 {
			t.Fatalf("%d on a page", n)
		}
		for _, item := range page.at("items").([]any) {
			days = append(days, answer{item}.str("day"))
		}
		if cursor = page.str("next"); cursor == "" {
			break
		}
	}
	if len(days) != 60 || !slices.IsSorted(days) {
		t.Errorf("%d %v", len(days), days)
	}
	if some := i.see("/operator/figures?by=day&from=2026-11-02&to=2026-11-03", ann); some.len("items") != 2 {
		t.Errorf("%s", some)
	}
	if like := i.see("/operator/figures?like=zz", ann); like.at("handles") == nil || like.len("handles") != 0 {
		t.Errorf("none begins so, and that is a list as well: %s", like)
	}
	if like := i.see("/operator/figures?like=", ann); like.len("handles") < 2 {
		t.Errorf("all begin with nothing: %s", like)
	}
	for _, list := range []string{"/operator/settings", "/me/assistants"} {
		whole := i.see(list, ann)
		first := i.see(list+"?limit=1", ann)
		if first.len("items") != min(1, whole.len("items")) || whole.len("items") > 1 && first.str("next") == "" {
			t.Errorf("%s: %s", list, first)
		}
		if next := first.str("next"); next != "" {
			rest := i.see(list+"?cursor="+next, ann)
			if rest.len("items") != whole.len("items")-1 || rest.str("next") != "" {
				t.Errorf("%s: %s", list, rest)
			}
		}
		status, a := i.web("GET", prefix+list+"?limit=201", ann, "")
		want(t, status, a, 400, tools.Invalid)
	}
	if like := i.see("/operator/figures?like=BO", ann); like.len("handles") != 1 || like.str("handles", "0", "handle") != "bob" || like.str("handles", "0", "id") != id || like.len("items") != 0 {
		t.Errorf("%s", like)
	}
	for _, query := range []string{"by=year", "limit=0", "limit=201", "limit=x", "from=yesterday", "cursor=x", "person=bob", "a=b"} {
		status, a := i.web("GET", prefix+"/operator/figures?"+query, ann, "")
		want(t, status, a, 400, tools.Invalid)
	}
	status, a := i.web("GET", prefix+"/operator/figures?account=nobody", ann, "")
	want(t, status, a, 404, tools.NotFound)
	status, a = i.web("GET", prefix+"/operator/figures?like=b", bob, "")
	want(t, status, a, 403, tools.Forbidden)

	// One's own, and nobody else's.
	if use := i.see("/me/usage?by=month", bob); use.len("items") != 3 || use.at("month", "cost_micros") == nil {
		t.Errorf("%s", use)
	}
	if use := i.see("/me/usage", bob); use.len("items") != 50 || use.str("next") == "" {
		t.Errorf("%s", use)
	}
	if use := i.see("/me/usage", ann); use.len("items") != 0 {
		t.Errorf("%s", use)
	}
	status, a = i.web("GET", prefix+"/me/usage?account=bob", ann, "")
	want(t, status, a, 400, tools.Invalid)
}

// TestSettingsOfOperators take effect at once where they can; the environment
// wins, and secrets are only set.
func TestSettingsOfOperators(t *testing.T) {
	i, ann, _ := newDesk(t, "NODKEEP_WAITING_MAX=3", "ASSISTANT_ID_KEY="+strings.Repeat("k", 40))
	is := func(name string) answer {
		t.Helper()
		for _, item := range i.see("/operator/settings", ann).at("items").([]any) {
			if (answer{item}).str("name") == name {
				return answer{item}
			}
		}
		t.Fatalf("there is no %s", name)
		return answer{}
	}
	if s := is("ASSISTANT_ID_KEY"); s.str("value") != "set" || s.str("from") != "environment" || s.at("locked") != true || s.at("restart") != true {
		t.Errorf("%s", s)
	}
	if s := is("NODKEEP_SIGN_UP"); s.str("value") != "approval" || s.str("from") != "default" || s.at("locked") != false || s.at("restart") != false {
		t.Errorf("%s", s)
	}
	for body, kind := range map[string]tools.Kind{
		`{"name":"NODKEEP_WAITING_MAX","value":5}`:                              tools.Conflict, // the environment has it
		`{"name":"NODKEEP_URL","value":"https://a.example"}`:                    tools.Conflict, // needs a restart
		`{"name":"ASSISTANT_ID_KEY","value":"` + strings.Repeat("x", 40) + `"}`: tools.Conflict,
		`{"name":"NODKEEP_NONE","value":"x"}`:                                   tools.NotFound,
		`{"name":"NODKEEP_SIGN_UP","value":"everybody"}`:                        tools.Invalid,
		`{"name":"NODKEEP_OWN_SURFACES","value":"no"}`:                          tools.Invalid,
		`{"name":"NODKEEP_DAILY_CAP","value":"-1"}`:                             tools.Invalid,
		`{"value":"x"}`: tools.Invalid,
	} {
		status, a := i.nod("/operator/settings", ann, body)
		want(t, status, a, map[tools.Kind]int{tools.Conflict: 409, tools.NotFound: 404, tools.Invalid: 400}[kind], kind)
	}
	signUp := func(handle string) int {
		t.Helper()
		status, _ := i.web("POST", prefix+"/signup", "", `{"handle":"`+handle+`","password":"a long password"}`)
		return status
	}
	i.must("/operator/settings", ann, `{"name":"NODKEEP_SIGN_UP","value":"closed"}`)
	if status := signUp("cy"); status != 403 || is("NODKEEP_SIGN_UP").str("from") != "operator" {
		t.Errorf("sign-up is not closed: %d", status)
	}
	i.must("/operator/settings", ann, `{"name":"NODKEEP_SIGN_UP","value":null}`)
	if status := signUp("cy"); status != 202 {
		t.Errorf("sign-up is not as by default: %d", status)
	}
	i.must("/operator/settings", ann, `{"name":"NODKEEP_DAILY_CAP","value":2.5}`)
	if n, ok := i.dailyCap(); !ok || n != 2_500_000 || is("NODKEEP_DAILY_CAP").str("value") != "2.50" {
		t.Errorf("%d %v", n, ok)
	}
	i.must("/operator/settings", ann, `{"name":"NODKEEP_OWN_SURFACES","value":true}`)
	if !i.inEffect().OwnSurfaces {
		t.Error("clients' forms count still")
	}
	// What was written past the tool closes rather than opens.
	rec, err := i.pb.FindFirstRecordByData(accounts.Settings, "name", "NODKEEP_SIGN_UP")
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("value", "whatever")
	if err := i.pb.Save(rec); err != nil {
		t.Fatal(err)
	}
	if status := signUp("dora"); status != 403 {
		t.Errorf("%d", status)
	}
	// It lasts.
	if err := i.readSaid(); err != nil || i.inEffect().Waiting != 3 {
		t.Error(err)
	}
}

// TestWhoUsesTheirOwn: neither superusers, nor agents, nor who is suspended.
func TestWhoUsesTheirOwn(t *testing.T) {
	i, _, _ := newDesk(t)
	i.member("dora")
	dora := i.token("dora")
	i.stand("dora", "suspended")
	_, agent := i.agentToken("bob", `{"mode":"trusted","tools":"all"}`)
	for who, row := range map[string]struct {
		token string
		want  int
	}{"a superuser": {i.superuser(), 403}, "an agent": {agent, 401}, "who is suspended": {dora, 401}, "a guest": {"", 401}} {
		for _, at := range [][3]string{
			{"GET", "/me/usage"},
			{"GET", "/me/assistants"},
			{"GET", "/me/more"},
			{"POST", "/me/consents", `{"assistant":"local"}`},
			{"DELETE", "/me/consents/local"},
			{"POST", "/me/limits", `{"day_cost":"1"}`},
			{"POST", "/me/more", `{"assistant":"local"}`},
		} {
			if status, a := i.web(at[0], prefix+at[1], row.token, at[2]); status != row.want {
				t.Errorf("%s at %s %s: %d %s", who, at[0], at[1], status, a)
			}
		}
	}
	for _, tool := range []string{"nodkeep_consent_give", "nodkeep_limit_set", "nodkeep_assistant_set", "nodkeep_budget_set"} {
		if def, ok := i.registry.Tool(tool); !ok || def.Hidden == "" {
			t.Errorf("%s may be offered to a model", tool)
		}
	}
}
