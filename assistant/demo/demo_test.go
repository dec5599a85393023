package demo

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

func script(t *testing.T) *Script {
	t.Helper()
	catalogue, err := i18n.Load(i18n.Core(), Locales())
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Say: catalogue.Say})
}

// TestUnderstood: people put it as they like, in whichever language.
func TestUnderstood(t *testing.T) {
	for sentence, want := range map[string]string{
		"what do we pay each month??":                    "en demo.try.pay",
		"An overview, please":                            "en demo.try.pay",
		"WAS KOSTET UNS DAS ALLES?":                      "de demo.try.pay",
		"¿cuanto pago?":                                  "es demo.try.pay",
		"anything due soon?":                             "en demo.try.due",
		"Was ist demnaechst faellig":                     "de demo.try.due",
		"que vence pronto":                               "es demo.try.due",
		"did any price rise?":                            "en demo.try.dearer",
		"Welche Preise sind gestiegen?":                  "de demo.try.dearer",
		"how can we save money":                          "en demo.try.save",
		"Was geht günstiger?":                            "de demo.try.save",
		"a bar chart of spending per month":              "en demo.try.bars",
		"Monatliche Kosten als Diagramm":                 "de demo.try.bars",
		"gráfico de gastos por mes":                      "es demo.try.bars",
		"show all":                                       "en demo.try.table",
		"Liste":                                          "de demo.try.table",
		"please move spotify and netflix into streaming": "en demo.try.batch",
		"Leg Netflix unter Streaming ab":                 "de demo.try.batch",
		"mete Netflix en Streaming":                      "es demo.try.batch",
		"could you pause Disney+ for 3 months":           "en demo.try.pause",
		"Spotify bitte pausieren":                        "de demo.try.pause",
		"cancel the daily paper":                         "en demo.try.cancel",
		"Bitte Vodafone kuendigen":                       "de demo.try.cancel",
		"da de baja Netflix":                             "es demo.try.cancel",
		"Und nun?":                                       "de demo.try.now",
		"what now":                                       "en demo.try.now",
		"undo":                                           "en demo.try.undo",
		"put it back":                                    "en demo.try.undo",
		"Nimm das zurück":                                "de demo.try.undo",
		"deshacer":                                       "es demo.try.undo",
		"I want to add something":                        "en demo.try.add",
		"Ein neues Abonnement":                           "de demo.try.add",
		"what have you changed":                          "en demo.try.did",
		"Was hast du getan?":                             "de demo.try.did",
		"Write a poem about the sea":                     "",
		"":                                               "",
		"🎉🎉🎉":                                            "",
	} {
		lang, found, ok := understood(offer.Plain(sentence), "en")
		if got := strings.TrimSpace(lang + " " + found.key); got != want || ok != (want != "") {
			t.Errorf("%q is understood as %q, want %q", sentence, got, want)
		}
	}
	s := script(t)
	for _, lang := range languages("en") {
		for n, sentence := range s.Try(lang) {
			in, found, _ := understood(offer.Plain(sentence), lang)
			if in != lang || found.key != tour()[n] {
				t.Errorf("%q is understood as %s %s", sentence, in, found.key)
			}
		}
	}
	if len(tour()) != len(scenes()) {
		t.Error("not every scene is in the tour")
	}
}

// till refuses, or counts.
type till struct {
	no    error
	spent []gateway.Spent
}

func (m *till) Hold(context.Context) error { return m.no }
func (m *till) Settle(spent gateway.Spent) { m.spent = append(m.spent, spent) }

func question(lang, text string) gateway.Request {
	return gateway.Request{Messages: []gateway.Message{{Role: gateway.User, Parts: []gateway.Part{
		{Media: gateway.Text, Text: "Around this question:\nNow: 2026-11-30 10:00 UTC, Monday.\nThe person reads: " + lang + ".\n"},
		{Media: gateway.Text, Text: text},
	}}}}
}

// TestStreams: the answer comes in pieces, costs nothing, and ends where somebody
// stops it; without the budget's leave nothing is said.
func TestStreams(t *testing.T) {
	s, m := script(t), &till{}
	r := question("de", "Hm?")
	r.Meter = m
	shown, n := "", 0
	res, err := s.Stream(t.Context(), r, func(d gateway.Delta) { shown += d.Text; n++ })
	if err != nil || res.Finish != gateway.Stop || shown != res.Text || n < 10 || !strings.HasPrefix(shown, "Ich bin ein Skript") {
		t.Errorf("%+v in %d pieces, %v", res, n, err)
	}
	if len(m.spent) != 1 || !m.spent[0].Unbilled {
		t.Errorf("spent %+v", m.spent)
	}
	// What it does not understand it answers as it answered before.
	then := question("en", "Und jetzt?")
	then.Messages = append(then.Messages, gateway.Message{Role: gateway.Assistant, Text: "…"}, question("en", "Hm?").Messages[0])
	if res, err := s.Stream(t.Context(), then, func(gateway.Delta) {}); err != nil || !strings.HasPrefix(res.Text, "Ich bin ein Skript") {
		t.Errorf("after German: %+v, %v", res, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n = 0
	res, err = s.Stream(ctx, question("en", "Hm?"), func(gateway.Delta) { n++; cancel() })
	if !errors.Is(err, context.Canceled) || res.Finish != gateway.Failed || n != 1 {
		t.Errorf("stopped: %+v, %d pieces, %v", res, n, err)
	}
	no := errors.New("no")
	r.Meter = &till{no: no}
	if _, err := s.Stream(t.Context(), r, func(gateway.Delta) { t.Error("something was said") }); !errors.Is(err, no) {
		t.Error(err)
	}
	if res, err := s.Stream(t.Context(), gateway.Request{}, func(gateway.Delta) {}); err != nil || res.Text == "" {
		t.Errorf("asked nothing: %+v, %v", res, err)
	}
}

// TestFailures: what a tool refused is told, and nothing that it did not answer.
func TestFailures(t *testing.T) {
	s := script(t)
	r := question("en", "What do we pay?")
	res, _ := s.Stream(t.Context(), r, func(gateway.Delta) {})
	if res.Finish != gateway.ToolUse || len(res.Calls) != 1 || res.Calls[0].ID == "" {
		t.Fatalf("%+v", res)
	}
	answered := func(text string, failed bool) string {
		all := append(r.Messages, gateway.Message{Role: gateway.Assistant, Calls: res.Calls}, gateway.Message{Role: gateway.Tools, Results: []gateway.ToolResult{{Call: res.Calls[0].ID, Text: text, Error: failed}}})
		res, err := s.Stream(t.Context(), gateway.Request{Messages: all}, func(gateway.Delta) {})
		if err != nil {
			t.Fatal(err)
		}
		return res.Text
	}
	if got := answered("It failed (forbidden):\n<data source=\"error\">\nYou may not.\n</data>", true); got != "That could not be done: You may not." {
		t.Error(got)
	}
	if got := answered("<data source=\"household_overview\">\n{\"active\":1,\"sums\":[{\"currency\":\"EUR\",\"per_month\":\"3.00\"}]}\n</data>", false); got != "1 subscription runs; on average that is 3.00 EUR a month." {
		t.Error(got)
	}
	if got := answered("It was cut, and is no JSON.", false); got != "I could not read what the tool answered." {
		t.Error(got)
	}
}

// TestToldOfDecisions reads what became of proposals.
func TestToldOfDecisions(t *testing.T) {
	all := decisions(assistant.ToldDecisions + "\n<data source=\"decisions\">\n" + assistant.ToldNo + "Cancel Netflix\n  " + assistant.ToldWhy + "pause it\n" + assistant.ToldYes + "Pause Spotify\n" + assistant.ToldNo + "Add x\n</data>")
	want := []decision{{"Cancel Netflix", "pause it", false}, {"Pause Spotify", "", true}, {"Add x", "", false}}
	if len(all) != 3 || all[0] != want[0] || all[1] != want[1] || all[2] != want[2] {
		t.Errorf("read %+v", all)
	}
	for text, n := range map[string]int{"pause it for 3 months": 3, "zwei Monate": 2, "12 months": 12, "instead": 5} {
		if got := number(offer.Plain(text), 5); got != n {
			t.Errorf("%q has %d", text, got)
		}
	}
	if names(offer.Plain("cancel disney now"), "Disney+") != true || names(offer.Plain("cancel the paper"), "Daily paper") || names(offer.Plain("GEZ"), "GEZ") != true {
		t.Error("names are not known")
	}
}
