package hooks

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// withModels is an instance whose models are asked through a transport.
func withModels(t *testing.T, through http.RoundTripper, env ...string) *instance {
	t.Helper()
	return newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) { a.asked = through }, env...)
}

// said puts into the database what operators say of an assistant, as their tool
// does.
func (i *instance) saysOf(id, key string, fields map[string]string) *core.Record {
	i.t.Helper()
	col, err := i.pb.FindCollectionByNameOrId(roster.Collection)
	if err != nil {
		i.t.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.Id = core.GenerateDefaultRandomId()
	rec.Set("assistant", id)
	for name, v := range fields {
		rec.Set(name, v)
	}
	if key != "" {
		sealed, err := i.keys.Seal(roster.Owner(rec.Id, fields["protocol"], fields["base_url"]), []byte(key))
		if err != nil {
			i.t.Fatal(err)
		}
		rec.Set("key", sealed)
	}
	if err := i.pb.Save(rec); err != nil {
		i.t.Fatal(err)
	}
	return rec
}

func (i *instance) spentBy(person string) (requests int) {
	i.t.Helper()
	if err := i.pb.DB().Select("ifnull(sum(requests), 0)").From(tools.UsageTable).Where(dbx.HashExp{"person": person}).Row(&requests); err != nil {
		i.t.Fatal(err)
	}
	return requests
}

// TestAssistantIsTried: an operator tries one with the key that was stored, and
// it counts; nobody else may, and nobody is told the key.
func TestAssistantIsTried(t *testing.T) {
	h := fake.New(t, fake.Anthropic)
	i := withModels(t, h.Transport())
	i.saysOf("claude", fake.Key, map[string]string{"protocol": "anthropic", "base_url": h.Base(), "model": h.Model(), "name": "Claude"})
	i.makeOperator("ann")
	ann, bob, root := i.token("ann"), i.token("bob"), i.superuser()
	const path = prefix + "/operator/assistants/claude/test"
	tries := func() {
		h.Then(fake.Answer(fake.Say("one, two, three").In(3)), fake.Answer(fake.Calls(fake.Call{Name: "nodkeep_test", Args: `{"word":"nod"}`})))
	}
	for _, row := range []struct {
		token, person string
	}{{ann, i.user("ann").Id}, {root, ""}} {
		tries()
		status, a := i.web("POST", path, row.token, "", "Accept-Language", "de")
		want(t, status, a, 200, "")
		if a.at("ok") != true || a.len("lines") != 3 || a.str("lines", "0", "says", "text") != "Claude antwortet, von api.anthropic.com aus." {
			t.Errorf("%s", a)
		}
		if strings.Contains(a.String(), fake.Key) {
			t.Error("the key is told")
		}
		if n := i.spentBy(row.person); n != 2 {
			t.Errorf("%d requests were counted for %q", n, row.person)
		}
	}
	status, a := i.web("POST", path, bob, "")
	want(t, status, a, 403, tools.Forbidden)
	status, a = i.web("POST", path, "", "")
	want(t, status, a, 401, tools.Unauthorized)
	status, a = i.web("POST", prefix+"/operator/assistants/nosuch/test", ann, "")
	want(t, status, a, 404, tools.NotFound)
	status, a = i.web("GET", prefix+"/operator/assistants/suggestions", bob, "")
	want(t, status, a, 403, tools.Forbidden)
	status, a = i.web("GET", prefix+"/local/assistants", ann, "")
	want(t, status, a, 404, tools.NotFound)
	status, a = i.local("GET", "/local/assistants", "", "")
	want(t, status, a, 200, "")
	if a.at("items", "0", "key") != true || strings.Contains(a.String(), fake.Key) {
		t.Errorf("%s", a)
	}

	// A key that was sealed for something else opens nothing, and is sent nowhere.
	rec, err := i.pb.FindFirstRecordByData(roster.Collection, "assistant", "claude")
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := i.keys.Seal(roster.Owner("another", "anthropic", h.Base()), []byte(fake.Key))
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("key", sealed)
	if err := i.pb.Save(rec); err != nil {
		t.Fatal(err)
	}
	h.MayRefuse()
	status, a = i.web("POST", path, ann, "")
	want(t, status, a, 200, "")
	if a.at("ok") != false || a.str("lines", "0", "says", "key") != "roster.say.no_key" || strings.Contains(h.Last().Header.Get("X-Api-Key"), fake.Key) {
		t.Errorf("%s", a)
	}
}

// TestKeysStayWithTheirAddress: also where it is changed past the tools.
func TestKeysStayWithTheirAddress(t *testing.T) {
	i := newInstance(t)
	i.saysOf("x", "sk-one", map[string]string{"protocol": "openai", "base_url": "https://a.example/v1", "model": "m"})
	for _, row := range []struct {
		name  string
		set   map[string]string
		keeps bool
	}{
		{"another model", map[string]string{"model": "n"}, true},
		{"another protocol at the same address", map[string]string{"protocol": "anthropic"}, true},
		{"another address with a key of its own", map[string]string{"base_url": "https://b.example/v1", "key": "another"}, true},
		{"another address", map[string]string{"base_url": "https://c.example/v1"}, false},
	} {
		rec, err := i.pb.FindFirstRecordByData(roster.Collection, "assistant", "x")
		if err != nil {
			t.Fatal(err)
		}
		for field, v := range row.set {
			rec.Set(field, v)
		}
		if err := i.pb.Save(rec); err != nil {
			t.Fatal(err)
		}
		if rec, err = i.pb.FindRecordById(roster.Collection, rec.Id); err != nil || (rec.GetString("key") != "") != row.keeps {
			t.Errorf("%s: the key is %q, %v", row.name, rec.GetString("key"), err)
		}
	}
}

// TestTrialsCount: a test needs no grant, but passes no cap.
func TestTrialsCount(t *testing.T) {
	h := fake.New(t, fake.Anthropic)
	i := withModels(t, h.Transport(), "NODKEEP_DAILY_CAP=0", "ASSISTANTS=claude", "ASSISTANT_CLAUDE_PROTOCOL=anthropic", "ASSISTANT_CLAUDE_MODEL="+h.Model(), "ASSISTANT_CLAUDE_KEY="+fake.Key)
	status, a := i.local("POST", "/operator/assistants/claude/test", "", "")
	want(t, status, a, 200, "")
	if a.at("ok") != false || !strings.HasPrefix(a.str("lines", "0", "says", "key"), "budget.") || len(h.Asked()) != 0 {
		t.Errorf("%s; %d were asked", a, len(h.Asked()))
	}
}

// TestDailyCap: the environment wins over operators, whose word counts at once.
func TestDailyCap(t *testing.T) {
	i := newInstance(t)
	cap := func() int64 {
		if n, ok := i.dailyCap(); ok {
			return n
		}
		return -1
	}
	if cap() != -1 {
		t.Error(cap())
	}
	col, err := i.pb.FindCollectionByNameOrId(accounts.Settings)
	if err != nil {
		t.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.Set("name", capSetting)
	for value, want := range map[string]int64{"2.5": 2_500_000, "0": 0, "": -1, "nonsense": 0} {
		rec.Set("value", value)
		if err := i.pb.Save(rec); err != nil {
			t.Fatal(err)
		}
		if cap() != want {
			t.Errorf("%q is a cap of %d", value, cap())
		}
	}
	if err := i.pb.Delete(rec); err != nil || cap() != -1 {
		t.Error(err, cap())
	}
	i = newInstance(t, "NODKEEP_DAILY_CAP=1")
	rec = core.NewRecord(col)
	rec.Set("name", capSetting)
	rec.Set("value", "1000")
	if err := i.pb.Save(rec); err != nil || cap() != 1_000_000 {
		t.Error(err, cap())
	}
}

// TestDoctorSpeaksOfAssistants: what keeps one from being asked is a fault, what
// could be made use of is weak.
func TestDoctorSpeaksOfAssistants(t *testing.T) {
	i := newInstance(t, "ASSISTANTS=claude,mine,plain,box,open",
		"ASSISTANT_CLAUDE_PROTOCOL=anthropic", "ASSISTANT_CLAUDE_MODEL=claude-opus-5-5", "ASSISTANT_CLAUDE_KEY=sk-hush",
		"ASSISTANT_MINE_BASE_URL=http://localhost:11434", "ASSISTANT_MINE_MODEL=qwen3:8b",
		"ASSISTANT_PLAIN_BASE_URL=http://models.example.org/v1", "ASSISTANT_PLAIN_MODEL=m", "ASSISTANT_PLAIN_KEY=sk-hush",
		"ASSISTANT_BOX_BASE_URL=https://models.example.org/v1", "ASSISTANT_BOX_MODEL=m", "ASSISTANT_BOX_PRICE_INPUT=0", "ASSISTANT_BOX_PRICE_OUTPUT=0",
		"ASSISTANT_OPEN_PROTOCOL=openai")
	status, a := i.local("GET", "/local/checks", "", "")
	want(t, status, a, 200, "")
	if strings.Contains(a.String(), "hush") {
		t.Error("a key is told")
	}
	found := map[string]string{}
	items, _ := a.at("items").([]any)
	for _, item := range items {
		c := answer{item}
		if name := c.str("name"); name == "assistant" || name == "prices" {
			id, _, _ := strings.Cut(strings.TrimPrefix(c.str("says"), "nobody knows what "), " ")
			kind := "ok"
			switch {
			case c.at("weak") == true:
				kind = "weak"
			case c.str("fix") != "":
				kind = "wrong"
			}
			found[name+" "+id] += kind + " "
		}
	}
	for name, want := range map[string]string{
		"assistant claude": "ok ", "assistant mine": "ok ", "assistant plain": "ok weak ", "assistant box": "wrong ", "assistant open": "wrong ",
		"prices claude": "", "prices mine": "", "prices plain": "weak ", "prices box": "",
	} {
		if found[name] != want {
			t.Errorf("%s is %q, want %q in %s", name, found[name], want, a)
		}
	}
	i = newInstance(t)
	if _, a := i.local("GET", "/local/checks", "", ""); !strings.Contains(a.String(), "none is set up: no model is asked") {
		t.Errorf("%s", a)
	}
	// A variable of one that the environment does not name would stop the start.
	i.makeOperator("ann")
	ann := i.token("ann")
	i.must("/operator/assistants", ann, `{"id":"mine","base_url":"http://127.0.0.1:11434","model":"qwen3:8b"}`)
	if _, a := i.local("GET", "/local/checks", "", ""); strings.Contains(a.String(), "nobody knows what mine costs") {
		t.Errorf("a price is missed where nothing limits money: %s", a)
	}
	i.must("/operator/budgets", ann, `{"everybody":true,"day_cost":1}`)
	if _, a := i.local("GET", "/local/checks", "", ""); !strings.Contains(a.String(), "nobody knows what mine costs") || !strings.Contains(a.String(), "nodkeep_assistant_set") || strings.Contains(a.String(), "ASSISTANT_MINE") {
		t.Errorf("%s", a)
	}
}

// TestAssistantCommands goes the way of an operator at the terminal.
func TestAssistantCommands(t *testing.T) {
	h := fake.New(t, fake.Local, fake.Answer(fake.Say("one, two, three").In(3)), fake.Answer(fake.Say("No.")))
	i := withModels(t, h.Transport(), "ASSISTANTS=local", "ASSISTANT_LOCAL_BASE_URL="+h.Base(), "ASSISTANT_LOCAL_MODEL="+h.Model())
	i.Screen = func() bool { return true }
	run := func(args ...string) (code int, out, said string) {
		i.out.Reset()
		i.err.Reset()
		c := i.assistantCommand()
		c.SetArgs(args)
		c.SilenceErrors, c.SilenceUsage = true, true
		if err := c.ExecuteContext(t.Context()); err != nil {
			code = 1
		}
		return code, i.out.String(), i.err.String()
	}
	if code, out, _ := run("list"); code != 0 || !strings.Contains(out, "local") || !strings.Contains(out, h.Model()) {
		t.Error(code, out)
	}
	code, out, _ := run("test", "local")
	if code != 1 || !strings.Contains(out, "ok     answer") || !strings.Contains(out, "failed tools    "+h.Model()+" was told to call a tool and did not") {
		t.Error(code, out)
	}
	if code, _, said := run("test", "nosuch"); code != 1 || !strings.Contains(said, "There is no assistant nosuch") {
		t.Error(code, said)
	}
}
