package roster

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
	"github.com/nodkeep/nodkeep/tools"
)

// till counts what it is asked for, and lets through what it may.
type till struct {
	person, of    string
	asked         gateway.Request
	held, settled int
	no            error
}

func (m *till) Hold(context.Context) error {
	m.held++
	return m.no
}

func (m *till) Settle(gateway.Spent) { m.settled++ }

// TestAskedForAPerson: whatever a caller says or forgets, what it costs is
// counted for the person, the effort has its ceiling, and no host learns an id
// that means something here.
func TestAskedForAPerson(t *testing.T) {
	const person, conversation = "account00000001", "conversation001"
	h := fake.New(t, fake.OpenAI)
	m := &till{}
	r, _ := tested(t, Config{
		Transport: h.Transport(), Keys: tools.Keys{Digests: [32]byte{1}},
		Fixed: []Fixed{
			{"sol", fields("base_url="+h.Base(), "model="+h.Model(), "key="+fake.Key, "effort=low", "max_effort=medium")},
			{"eyes", fields("base_url="+h.Base(), "model="+h.Model(), "key="+fake.Key, "images=yes")},
			{"half", fields("base_url=" + h.Base())},
		},
		Meter: func(person string, a Assistant, r gateway.Request) gateway.Meter {
			m.person, m.of, m.asked = person, a.ID, r
			return m
		},
		Trial: func(string, Assistant, gateway.Request) gateway.Meter { return &till{} },
	})
	say := []gateway.Message{{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Text, Text: "Hello?"}}}}
	ask := func(id string, req gateway.Request) (gateway.Result, error) {
		t.Helper()
		a, err := r.For(t.Context(), person, id)
		if err != nil {
			t.Fatal(err)
		}
		return a.Stream(t.Context(), req, func(gateway.Delta) {})
	}
	for wish, want := range map[gateway.Effort]string{"": "low", gateway.Low: "low", gateway.Max: "medium"} {
		*m = till{}
		h.Then(fake.Answer(fake.Say("Hello.")))
		other := &till{}
		res, err := ask("sol", gateway.Request{Messages: say, Effort: wish, Person: "bob", CacheKey: conversation, Meter: other})
		if err != nil || res.Text != "Hello." {
			t.Fatal(res, err)
		}
		is := answerOf(h.Last().Body)
		if is("reasoning", "effort") != want || string(m.asked.Effort) != want {
			t.Errorf("%q is asked with %v, and counted with %v", wish, is("reasoning", "effort"), m.asked.Effort)
		}
		if is("safety_identifier") != r.Person(person) || m.person != person || m.of != "sol" || m.held != 1 || m.settled != 1 || other.held != 0 {
			t.Errorf("%s is told of %v; %+v", h.Kind(), is("safety_identifier"), m)
		}
		if key := is("prompt_cache_key"); key == "" || len(key) > 64 || m.asked.CacheKey != key {
			t.Errorf("the key of its cache is %q", key)
		}
		for _, id := range []string{person, "bob", conversation} {
			if strings.Contains(string(h.Last().Raw), id) {
				t.Errorf("the host is told %s: %s", id, h.Last().Raw)
			}
		}
	}
	// Nobody, nothing, and what is not whole.
	asked := len(h.Asked())
	for id, kind := range map[string]tools.Kind{"nosuch": tools.NotFound, "half": tools.Unavailable} {
		if _, err := r.For(t.Context(), person, id); tools.KindOf(err) != kind {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := r.For(t.Context(), "", "sol"); tools.KindOf(err) != tools.Forbidden {
		t.Error("nobody asks: ", err)
	}
	// What the meter refuses does not leave, and is what the caller gets.
	m.no = errors.New("no more")
	if _, err := ask("sol", gateway.Request{Messages: say}); !errors.Is(err, m.no) {
		t.Error(err)
	}
	m.no = nil
	picture := append(say, gateway.Message{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Image, Type: "image/png", Data: picture()}}})
	if res, err := ask("sol", gateway.Request{Messages: picture}); tools.KindOf(err) != tools.Invalid || res.Finish != gateway.Failed {
		t.Error("a picture goes where none may: ", err)
	}
	if n := len(h.Asked()); n != asked {
		t.Errorf("%d requests left", n-asked)
	}
	h.Then(fake.Answer(fake.Say("Grey.")))
	if _, err := ask("eyes", gateway.Request{Messages: picture}); err != nil {
		t.Error(err)
	}

	unmetered, _ := tested(t, Config{Fixed: []Fixed{{"sol", fields("base_url="+h.Base(), "model=m")}}})
	if _, err := unmetered.For(t.Context(), person, "sol"); err == nil {
		t.Error("it is asked though nothing counts what that costs")
	}
}

// answerOf reads texts out of a body.
func answerOf(body map[string]any) func(path ...string) string {
	return func(path ...string) string {
		var v any = body
		for _, name := range path {
			m, _ := v.(map[string]any)
			v = m[name]
		}
		s, _ := v.(string)
		return s
	}
}

// TestAskedStaysAsItWasFound within a question, and is the new one in the next.
func TestAskedStaysAsItWasFound(t *testing.T) {
	r, _ := tested(t, Config{
		Fixed: []Fixed{{"x", fields("base_url=http://localhost:1", "model=m")}},
		Meter: func(string, Assistant, gateway.Request) gateway.Meter { return &till{} },
	})
	one, err := r.For(t.Context(), "account00000001", "x")
	if err != nil {
		t.Fatal(err)
	}
	r.c.Fixed[0].Fields["model"] = "n"
	next, err := r.For(t.Context(), "account00000001", "x")
	if err != nil || one.Model != "m" || next.Model != "n" || next.provider == one.provider {
		t.Error(one.Model, next.Model, err)
	}
}
