package tools_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// extra is a plugin with what is optional for models.
type extra struct {
	name      string
	brief     func(*tools.Reader) ([]tools.Text, error)
	prompts   []tools.Prompt
	resources []tools.Resource
}

type extraIn struct {
	ID   string     `json:"id"`
	Year int        `json:"year,omitzero"`
	Day  tools.Date `json:"day,omitzero"`
	All  bool       `json:"all,omitzero"`
}

func (e extra) Name() string { return e.name }
func (e extra) Tools() []tools.Tool {
	def := func(name string) tools.Def {
		return tools.Def{Name: e.name + "_" + name, Title: "lab.write", Help: "Gives back its arguments."}
	}
	write := def("write")
	write.Effect = tools.EffectWrite
	return []tools.Tool{
		tools.NewRead(def("get"), func(r *tools.Reader, in extraIn) (extraIn, error) {
			if in.ID == "hidden" {
				return in, tools.Fail(tools.NotFound, "error.not_found", "x", in.ID)
			}
			return in, nil
		}),
		tools.NewRead(def("all"), func(r *tools.Reader, _ struct{}) (string, error) { return "all", nil }),
		tools.New(write, func(*tools.Call, struct{}) (string, error) { return "", nil }),
	}
}

func (e extra) Brief(r *tools.Reader) ([]tools.Text, error) {
	if e.brief == nil {
		return nil, nil
	}
	return e.brief(r)
}
func (e extra) Prompts() []tools.Prompt     { return e.prompts }
func (e extra) Resources() []tools.Resource { return e.resources }
func (e extra) Locales() fs.FS              { return texts(`{"` + e.name + `.text": "{0} and {1}"}`) }

func review(args ...tools.PromptArg) tools.Prompt {
	return tools.Prompt{Name: "ex_review_month", Title: "ex.title", Text: "ex.text", Args: args}
}

func resource(uri, name, tool string) tools.Resource {
	return tools.Resource{URI: uri, Name: name, Title: "ex.title", Tool: tool}
}

// TestExtraRefused: what breaks the contract stops the start, and says whose
// it is.
func TestExtraRefused(t *testing.T) {
	one := resource("nodkeep://ex/things/{id}", "ex_thing", "ex_get")
	arg := tools.PromptArg{Name: "month", Title: "ex.title"}
	rows := []struct {
		name, want string
		p          extra
	}{
		{"fine", "", extra{prompts: []tools.Prompt{review(arg, tools.PromptArg{Name: "b", Title: "t", Required: true})}, resources: []tools.Resource{
			one, resource("nodkeep://ex/things/{id}/{year}/{day}", "ex_day", "ex_get"), resource("nodkeep://ex/all", "ex_all", "ex_all"),
		}}},
		{"prompt of another", "must begin with ex_", extra{prompts: []tools.Prompt{{Name: "lab_x", Title: "t", Text: "t"}}}},
		{"prompt in capitals", "lower case", extra{prompts: []tools.Prompt{{Name: "ex_Review", Title: "t", Text: "t"}}}},
		{"prompt without a text", "needs a title and a text", extra{prompts: []tools.Prompt{{Name: "ex_x", Title: "t"}}}},
		{"prompt twice", "there twice", extra{prompts: []tools.Prompt{review(), review()}}},
		{"argument twice", "month is there twice", extra{prompts: []tools.Prompt{review(arg, arg)}}},
		{"argument in capitals", `"Month" must be lower case`, extra{prompts: []tools.Prompt{review(tools.PromptArg{Name: "Month", Title: "t"})}}},
		{"argument without a title", "month needs a title", extra{prompts: []tools.Prompt{review(tools.PromptArg{Name: "month"})}}},

		{"resource name twice", "there twice", extra{resources: []tools.Resource{one, resource("nodkeep://ex/all", "ex_thing", "ex_all")}}},
		{"resource of the same shape", "there twice", extra{resources: []tools.Resource{one, resource("nodkeep://ex/things/{id}", "ex_other", "ex_get")}}},
		{"resource of another", "must begin with ex_", extra{resources: []tools.Resource{resource("nodkeep://ex/all", "lab_all", "ex_all")}}},
		{"address of another", "begin with nodkeep://ex/", extra{resources: []tools.Resource{resource("nodkeep://lab/all", "ex_all", "ex_all")}}},
		{"another scheme", "begin with nodkeep://ex/", extra{resources: []tools.Resource{resource("https://ex/all", "ex_all", "ex_all")}}},
		{"no tool", `"ex_none", which is no read tool`, extra{resources: []tools.Resource{resource("nodkeep://ex/all", "ex_all", "ex_none")}}},
		{"a tool that writes", `"ex_write", which is no read tool`, extra{resources: []tools.Resource{resource("nodkeep://ex/all", "ex_all", "ex_write")}}},
		{"a tool of another", `"lab_read", which is no read tool of it`, extra{resources: []tools.Resource{resource("nodkeep://ex/x/{code}", "ex_all", "lab_read")}}},
		{"an unknown variable", "ex_get takes no text or whole number ident", extra{resources: []tools.Resource{resource("nodkeep://ex/x/{id}/{ident}", "ex_x", "ex_get")}}},
		{"a variable that is no text", "ex_get takes no text or whole number all", extra{resources: []tools.Resource{resource("nodkeep://ex/x/{id}/{all}", "ex_x", "ex_get")}}},
		{"an argument that is lacking", "ex_get needs id", extra{resources: []tools.Resource{resource("nodkeep://ex/x/{year}", "ex_x", "ex_get")}}},
		{"a variable twice", "{id} twice", extra{resources: []tools.Resource{resource("nodkeep://ex/{id}/{id}", "ex_x", "ex_get")}}},
		{"a variable within a segment", "neither a word nor a variable", extra{resources: []tools.Resource{resource("nodkeep://ex/a-{id}", "ex_x", "ex_get")}}},
		{"level 2", "neither a word nor a variable", extra{resources: []tools.Resource{resource("nodkeep://ex/{+id}", "ex_x", "ex_get")}}},
		{"an empty segment", "neither a word nor a variable", extra{resources: []tools.Resource{resource("nodkeep://ex/x//{id}", "ex_x", "ex_get")}}},
		{"a query", "neither a word nor a variable", extra{resources: []tools.Resource{resource("nodkeep://ex/x?id={id}", "ex_x", "ex_get")}}},
		{"no title", "needs a title", extra{resources: []tools.Resource{{URI: "nodkeep://ex/all", Name: "ex_all", Tool: "ex_all"}}}},
	}
	for _, row := range rows {
		row.p.name = "ex"
		_, err := tools.NewRegistry(newLab(), row.p)
		if row.want == "" {
			if err != nil {
				t.Errorf("%s: %v", row.name, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), "plugin ex:") {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
	other := extra{name: "ey", prompts: []tools.Prompt{{Name: "ey_x", Title: "t", Text: "t"}}}
	reg, err := tools.NewRegistry(extra{name: "ex", prompts: []tools.Prompt{review(arg)}, resources: []tools.Resource{one}}, other)
	if err != nil {
		t.Fatal(err)
	}
	if p := reg.Prompts(); len(p) != 2 || p[0].Name != "ex_review_month" || p[1].Name != "ey_x" {
		t.Error(p)
	}
	if r := reg.Resources(); len(r) != 1 || r[0] != one {
		t.Error(r)
	}
}

// TestResource: an address is the call of a read tool, or it is not found.
func TestResource(t *testing.T) {
	b := open(t, tools.Config{}, extra{name: "ex", resources: []tools.Resource{
		resource("nodkeep://ex/things/{id}", "ex_thing", "ex_get"), resource("nodkeep://ex/things/{id}/years/{year}", "ex_year", "ex_get"),
		resource("nodkeep://ex/things/all", "ex_all", "ex_all"),
	}})
	for uri, want := range map[string]string{
		"nodkeep://ex/things/abc":                                `ex_get {"id":"abc"}`,
		"nodkeep://ex/things/a%20b%2Fc%C3%BC":                    `ex_get {"id":"a b/cü"}`,
		"nodkeep://ex/things/%22%7D":                             `ex_get {"id":"\"}"}`,
		"nodkeep://ex/things/..":                                 `ex_get {"id":".."}`,
		"nodkeep://ex/things/all":                                `ex_all {}`,
		"nodkeep://ex/things/a/years/2026":                       `ex_get {"id":"a","year":2026}`,
		"nodkeep://ex/things/a/years/-1":                         `ex_get {"id":"a","year":-1}`,
		"nodkeep://ex/things/a/years/02":                         "",
		"nodkeep://ex/things/a/years/1e3":                        "",
		"nodkeep://ex/things/a/years/x":                          "",
		"nodkeep://ex/things/a/years/" + strings.Repeat("9", 16): "",
		"nodkeep://ex/things/":                                   "",
		"nodkeep://ex/things":                                    "",
		"nodkeep://ex/things/a/":                                 "",
		"nodkeep://ex/things/a%2":                                "",
		"nodkeep://ex/things/%FF":                                "",
		"nodkeep://ex/thing%73/a":                                "",
		"NODKEEP://ex/things/a":                                  "",
		"nodkeep://lab/things/a":                                 "",
		"nodkeep://":                                             "",
		"":                                                       "",
		"nodkeep://ex/things/" + strings.Repeat("a", 2000):       "",
	} {
		got := ""
		if inv, ok := b.Registry.Resource(uri); ok {
			got = inv.Tool + " " + string(inv.Args)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
	}
	out, err := b.Runner.Resource(t.Context(), b.ann, "nodkeep://ex/things/abc")
	if diff := cmp.Diff(any(extraIn{ID: "abc"}), out); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for uri, want := range map[string]string{"nodkeep://ex/nothing": "There is no resource nodkeep://ex/nothing.", "nodkeep://ex/things/hidden": "There is no x with the id hidden."} {
		if _, err := b.Runner.Resource(t.Context(), b.ann, uri); tools.KindOf(err) != tools.NotFound || err.Error() != want {
			t.Errorf("%s: %v", uri, err)
		}
	}
	for _, uri := range []string{"nodkeep://ex/nothing", "nodkeep://ex/things/a"} {
		if _, err := b.Runner.Resource(t.Context(), tools.Actor{Person: "nobody"}, uri); tools.KindOf(err) != tools.Unauthorized {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

// TestPrompt: its text is filled with the words of a person, in order; what
// does not fit is refused and named.
func TestPrompt(t *testing.T) {
	b := open(t, tools.Config{}, extra{name: "ex", prompts: []tools.Prompt{review(tools.PromptArg{Name: "month", Title: "t", Required: true}, tools.PromptArg{Name: "tag", Title: "t"})}})
	text := func(args ...any) tools.Text { return tools.T("ex.text", args...) }
	for _, row := range []struct {
		args map[string]string
		want tools.Text
		bad  string
	}{
		{map[string]string{"month": "May", "tag": "x"}, text("May", "x"), ""},
		{map[string]string{"month": "{1}\xff"}, text("{1}\uFFFD", ""), ""},
		{map[string]string{"month": strings.Repeat("ü", 2000)}, text(strings.Repeat("ü", 2000), ""), ""},
		{nil, tools.Text{}, `"month" is missing`},
		{map[string]string{"month": " ", "tag": "x"}, tools.Text{}, `"month" is missing`},
		{map[string]string{"month": "May", "year": "1"}, tools.Text{}, `"year" is unknown; the fields are month, tag`},
		{map[string]string{"month": "May", "tag": strings.Repeat("ü", 2001)}, tools.Text{}, `"tag" has 2001 characters; at most 2000`},
	} {
		got, err := b.Runner.Prompt(t.Context(), b.ann, "ex_review_month", row.args)
		if row.bad != "" {
			if tools.KindOf(err) != tools.Invalid || !strings.Contains(err.Error(), row.bad) {
				t.Errorf("%v: %v, want %s", row.args, err, row.bad)
			}
			continue
		}
		if diff := cmp.Diff(row.want, got); diff != "" || err != nil {
			t.Errorf("%v: %v\n%s", row.args, err, diff)
		}
	}
	if said := b.Catalogue.English(text("a", "")); said != "a and " {
		t.Errorf("%q", said)
	}
	if _, err := b.Runner.Prompt(t.Context(), b.ann, "ex_none", nil); tools.KindOf(err) != tools.NotFound {
		t.Error(err)
	}
	if _, err := b.Runner.Prompt(t.Context(), tools.Actor{}, "ex_review_month", nil); tools.KindOf(err) != tools.Unauthorized {
		t.Error(err)
	}
}

// TestBrief: what the plugins say, in their order, as the person; one that
// fails fails the whole, and only the log says which.
func TestBrief(t *testing.T) {
	var log bytes.Buffer
	fails := error(nil)
	says := func(r *tools.Reader) ([]tools.Text, error) {
		return []tools.Text{tools.T("ex.text", r.Actor.Person)}, nil
	}
	b := open(t, tools.Config{Log: slog.New(slog.NewTextHandler(&log, nil))},
		extra{name: "ex", brief: says}, extra{name: "ey"},
		extra{name: "ez", brief: func(*tools.Reader) ([]tools.Text, error) {
			if fails != nil && fails.Error() == "panic" {
				panic("secret")
			}
			return []tools.Text{tools.T("last")}, fails
		}})
	got, err := b.Runner.Brief(t.Context(), b.bob)
	if diff := cmp.Diff([]tools.Text{tools.T("ex.text", b.bob.Person), {Key: "last"}}, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for _, row := range []struct {
		err  error
		kind tools.Kind
	}{{errors.New("a secret broke"), tools.Internal}, {tools.Fail(tools.Conflict, "error.stale"), tools.Conflict}, {errors.New("panic"), tools.Internal}} {
		log.Reset()
		fails = row.err
		got, err := b.Runner.Brief(t.Context(), b.ann)
		if tools.KindOf(err) != row.kind || got != nil || strings.Contains(fmt.Sprint(err), "secret") {
			t.Errorf("%v: %v %v", row.err, got, err)
		}
		if !strings.Contains(log.String(), "plugin=ez") {
			t.Errorf("%v: the log does not say whose it is: %s", row.err, &log)
		}
	}
	if _, err := b.Runner.Brief(t.Context(), tools.Actor{Person: "nobody"}); tools.KindOf(err) != tools.Unauthorized {
		t.Error(err)
	}
}
