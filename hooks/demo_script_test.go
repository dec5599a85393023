package hooks

import (
	"encoding/json/v2"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/demo"
	"github.com/nodkeep/nodkeep/tools"
)

// shownDemo is a demonstration whose script does not pause, and a conversation of
// ana with it.
type shownDemo struct {
	*instance
	lang, conversation string
	n                  int
}

func newDemo(t *testing.T, lang string) *shownDemo {
	t.Helper()
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		demoAssistant{}.script(a)
		a.scripts[0].Provider = demo.New(demo.Config{Say: func(lang string, t tools.Text) string { return a.catalogue.Say(lang, t) }})
	}, "NODKEEP_MESSAGE_BURST=100")
	if err := i.fill(t.Context(), "http://demo", demoAssistant{}); err != nil {
		t.Fatal(err)
	}
	return &shownDemo{instance: i, lang: lang}
}

// shownTurn is what came of a question.
type shownTurn struct {
	text      string
	tools     []string
	proposals []string
	screens   []answer
	form      assistant.Form
	end       assistant.Ended
}

// ask asks as ana, and follows the answer to its end.
func (d *shownDemo) ask(text string, answers map[string]string) (h shownTurn) {
	d.t.Helper()
	d.n++
	turn, err := d.loop.Ask(d.t.Context(), d.user("ana"), assistant.Question{
		Client: fmt.Sprint("q", d.n), Conversation: d.conversation, Text: text, Answers: answers, Language: d.lang,
	})
	if err != nil {
		d.t.Fatalf("%s: %v", text, err)
	}
	err = turn.Follow(d.t.Context(), 0, func(e assistant.Event) error {
		switch e.Kind {
		case assistant.EventStart:
			var s assistant.Start
			if err := json.Unmarshal(e.Data, &s); err != nil || !s.Assistant.Scripted || !s.Assistant.Local || !strings.Contains(s.Assistant.Name, "no model") {
				d.t.Errorf("begins with %s, %v", e.Data, err)
			}
			d.conversation = s.Conversation
		case assistant.EventTool:
			var s assistant.ToolEvent
			_ = json.Unmarshal(e.Data, &s)
			if s.State == assistant.Done {
				h.tools = append(h.tools, s.Name)
			}
		case assistant.EventProposal:
			var p struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal(e.Data, &p); err != nil {
				return err
			}
			h.proposals = append(h.proposals, p.ID)
		case assistant.EventScreen:
			h.screens = append(h.screens, parse(d.t, strings.NewReader(string(e.Data))))
		case assistant.EventForm:
			return json.Unmarshal(e.Data, &h.form)
		case assistant.EventError:
			d.t.Errorf("%s: %s", text, e.Data)
		case assistant.EventTurn:
			return json.Unmarshal(e.Data, &h.end)
		}
		return nil
	})
	if err != nil {
		d.t.Fatalf("%s: %v", text, err)
	}
	if u := h.end.Usage; u.Requests+u.Uncached+u.Output != 0 {
		d.t.Errorf("%s: a script used %+v", text, u)
	}
	h.text = h.end.Text
	return h
}

// decide says yes or no to a card, as ana does on the web.
func (d *shownDemo) decide(id, reason string) {
	d.t.Helper()
	path := prefix + "/proposals/" + id
	if reason != "" {
		status, a := d.web("POST", path+"/discard", d.token("ana"), `{"reason":"`+reason+`"}`)
		want(d.t, status, a, 200, "")
		return
	}
	_, p := d.web("GET", path, d.token("ana"), "")
	status, a := d.web("POST", path+"/confirm", d.token("ana"), `{"digest":"`+p.str("digest")+`"}`)
	want(d.t, status, a, 200, "")
}

// stands is what the household says of a subscription.
func (d *shownDemo) stands(name string) (status, category string) {
	d.t.Helper()
	_, v := d.call("household_subscription_list", d.token("ana"), `{"search":"`+name+`","status":"all"}`)
	return v.str("output", "items", "0", "status"), v.str("output", "items", "0", "category", "name")
}

// applied is how many changes there are that came by an assistant.
func (d *shownDemo) applied() (n int) {
	d.t.Helper()
	err := d.pb.DB().NewQuery("SELECT count(*) FROM nodkeep_audit WHERE agent = 'script' AND state = 'applied' AND kind = 'call'").Row(&n)
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// TestDemoSentences asks every sentence of the script, in each language, twice:
// each is understood, shows what it is there to show, and changes nothing.
func TestDemoSentences(t *testing.T) {
	shows := [...]struct {
		tools           string
		cards, screens  int
		questions, says int // says 1: it has a number in it
	}{
		{"household_overview", 0, 0, 0, 1},
		{"household_reminder_list household_upcoming", 0, 0, 0, 1},
		{"find_tools household_price_changes", 0, 0, 0, 1},
		{"household_savings", 0, 0, 0, 1},
		{"show_screen", 0, 1, 0, 0},
		{"show_screen", 0, 1, 0, 0},
		{"household_subscription_list household_subscription_update household_subscription_update household_subscription_update", 1, 0, 0, 1},
		{"household_subscription_list household_subscription_pause", 1, 0, 0, 1},
		{"household_subscription_cancel household_subscription_list", 1, 0, 0, 0},
		{"", 0, 0, 0, 0},
		{"activity_list", 0, 0, 0, 0},
		{"ask_person", 0, 0, 3, 0},
		{"household_subscription_list household_trial_decide", 1, 0, 0, 1},
		{"activity_list", 0, 0, 0, 0},
	}
	for _, lang := range []string{"en", "de", "es"} {
		t.Run(lang, func(t *testing.T) {
			d := newDemo(t, lang)
			all := d.tried(lang)
			if len(all) != len(shows) {
				t.Fatalf("there are %d sentences", len(all))
			}
			if _, body := page(d.instance, lang); !strings.Contains(body, map[string]string{"en": "a script, no model", "de": "kein Modell", "es": "no un modelo"}[lang]) {
				t.Errorf("the start page says %s", body)
			}
			for range 2 {
				for n, sentence := range all {
					h, want := d.ask(sentence, nil), shows[n]
					slices.Sort(h.tools)
					if got := strings.Join(h.tools, " "); got != want.tools || len(h.proposals) != want.cards || len(h.screens) != want.screens || len(h.form.Questions) != want.questions {
						t.Errorf("%s: %q, %d cards, %d screens, %d questions", sentence, got, len(h.proposals), len(h.screens), len(h.form.Questions))
					}
					if h.text == "" || strings.Contains(h.text, "demo.") || strings.Contains(h.text, all[1]) || want.says > 0 && !strings.ContainsAny(h.text, "0123456789") {
						t.Errorf("%s: %s", sentence, h.text)
					}
				}
			}
			if n := d.applied(); n != 0 {
				t.Errorf("%d changes were made, and nobody nodded", n)
			}
		})
	}
}

// TestDemoStory goes the way that the demonstration is there for: a card, a no
// with a reason, another card that goes by it, a yes, an undo; a batch; and a form.
func TestDemoStory(t *testing.T) {
	reasons := map[string]string{"en": "pause it instead", "de": "lieber drei Monate pausieren", "es": "mejor una pausa"}
	for _, lang := range []string{"en", "de", "es"} {
		t.Run(lang, func(t *testing.T) {
			d := newDemo(t, lang)
			all := d.tried(lang)
			batch, cancel, now, undo, add, did := all[6], all[8], all[9], all[10], all[11], all[13]
			card := func(sentence string) string {
				t.Helper()
				h := d.ask(sentence, nil)
				if len(h.proposals) != 1 {
					t.Fatalf("%s: %d cards, %s", sentence, len(h.proposals), h.text)
				}
				return h.proposals[0]
			}
			d.decide(card(cancel), reasons[lang])
			h := d.ask(now, nil)
			if !strings.Contains(h.text, reasons[lang]) || len(h.proposals) != 1 {
				t.Fatalf("after the reason: %s", h.text)
			}
			if status, _ := d.stands("Netflix"); status != "active" {
				t.Errorf("before the yes Netflix is %s", status)
			}
			d.decide(h.proposals[0], "")
			if status, _ := d.stands("Netflix"); status != "paused" {
				t.Errorf("after the yes Netflix is %s", status)
			}
			if h := d.ask(did, nil); !strings.Contains(h.text, "Netflix") {
				t.Errorf("what was done: %s", h.text)
			}
			d.decide(card(undo), "")
			if status, _ := d.stands("Netflix"); status != "active" {
				t.Errorf("after the undo Netflix is %s", status)
			}

			// The reason may come as a message of its own, too.
			d.decide(card(cancel), " ")
			if h := d.ask(reasons[lang], nil); len(h.proposals) != 1 || !strings.Contains(h.text, "Netflix") {
				t.Errorf("after a no, and then why: %s", h.text)
			}

			d.decide(card(batch), "")
			for _, name := range []string{"Netflix", "Spotify", "Audiobooks"} {
				if _, category := d.stands(name); category != "Streaming" {
					t.Errorf("%s is under %q", name, category)
				}
			}
			d.decide(card(undo), "")
			for _, name := range []string{"Netflix", "Spotify", "Audiobooks"} {
				if _, category := d.stands(name); category != "" {
					t.Errorf("after the undo %s is under %q", name, category)
				}
			}
			if h := d.ask(undo, nil); len(h.proposals) != 0 {
				t.Errorf("taken back once more: %s", h.text)
			}

			form := d.ask(add, nil).form
			h = d.ask("", map[string]string{form.Questions[0].ID: "Gym", form.Questions[1].ID: "29,90", form.Questions[2].ID: form.Questions[2].Choices[0]})
			if len(h.proposals) != 1 {
				t.Fatalf("after the form: %s", h.text)
			}
			d.decide(h.proposals[0], "")
			if status, _ := d.stands("Gym"); status != "active" {
				t.Errorf("the gym is %q", status)
			}
			if h := d.ask("Qwertz?", nil); !strings.Contains(h.text, cancel) {
				t.Errorf("to what it does not know it says %s", h.text)
			}
		})
	}
}

// page is the start page in a language.
func page(i *instance, lang string) (status int, body string) {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Language", lang)
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func (d *shownDemo) tried(lang string) []string {
	return demo.New(demo.Config{Say: d.catalogue.Say}).Try(lang)
}
