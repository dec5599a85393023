package hooks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools"
)

// menu is what models are offered in an instance.
func (i *instance) menu() *offer.Menu {
	i.t.Helper()
	m, err := offer.New(offer.Config{
		Registry: i.registry, Gate: i.gate, Catalogue: i.catalogue, Files: i.uploads,
		Own: append(append(offer.Model(), offer.Activity(i.runner), offer.Undo()), i.uploadTools()...),
	})
	if err != nil {
		i.t.Fatal(err)
	}
	return m
}

func model(mode gate.Mode) gate.Agent {
	return gate.Agent{Actor: tools.Actor{Person: "person1", Door: "assistant", Agent: "claude"}, Mode: mode}
}

// TestModelsAreOffered prints what the definitions of a household cost a model
// in each mode.
func TestModelsAreOffered(t *testing.T) {
	m := newInstance(t).menu()
	var b strings.Builder
	for _, mode := range []gate.Mode{gate.ModeRead, gate.ModeAsk, gate.ModeWrite, gate.ModeTrusted} {
		sum, core := 0, 0
		fmt.Fprintf(&b, "%s\n", mode)
		for _, tool := range m.Listed(model(mode)) {
			n := offer.Tokens(tool)
			sum += n
			if strings.HasPrefix(tool.Name, "household_") {
				core++
			}
			fmt.Fprintf(&b, "%6d  %s\n", n, tool.Name)
		}
		fmt.Fprintf(&b, "%6d  in all\n", sum)
		if sum > offer.Budget {
			t.Errorf("%s: %d tokens of definitions, at most %d", mode, sum, offer.Budget)
		}
		if core < 6 || core > 12 {
			t.Errorf("%s: %d tools of the household", mode, core)
		}
	}
	t.Log("\n" + b.String())
}

// TestPeopleAskFor: the words of people find the tool that they mean among the
// first three.
//
//nolint:misspell // words of other languages
func TestPeopleAskFor(t *testing.T) {
	m := newInstance(t).menu()
	for words, want := range map[string]string{
		// English
		"what do I pay a month":                 "overview",
		"what is due next week":                 "upcoming",
		"how much did we spend last year":       "spending",
		"cancel netflix":                        "subscription_cancel",
		"pause the gym until march":             "subscription_pause",
		"continue the gym":                      "subscription_resume subscriptions_bulk_resume",
		"new price for spotify":                 "price_set",
		"what got more expensive":               "price_changes",
		"rename a category":                     "category_update",
		"delete tag":                            "tag_delete",
		"who pays what":                         "share_overview",
		"split rent with my flatmate":           "subscription_share",
		"notice period of my phone contract":    "subscription_terms",
		"where can I save money":                "savings",
		"my credit card was replaced":           "payment_method_merge",
		"download all my data":                  "export",
		"exchange rate of the dollar":           "rate_list",
		"change currency":                       "settings_update",
		"new subscription":                      "subscription_add",
		"household_category_merge":              "category_merge",
		"pause all streaming services at once":  "subscriptions_bulk_pause",
		"move two categories together":          "category_merge",
		"when does my car insurance renew":      "subscription_get subscription_terms reminder_list upcoming",
		"stop paying for disney":                "subscription_cancel",
		"how much is due tomorrow":              "upcoming",
		"list my memberships":                   "subscription_list",
		"mark the rent as paid":                 "charge_confirm charges_bulk_confirm",
		"this month was free":                   "charge_skip",
		"add a note to spotify":                 "subscription_update",
		"remove that payment, it was wrong":     "charge_delete",
		"import my bank statement":              "import_apply",
		"show the calendar for march":           "calendar",
		"what ends soon":                        "overview reminder_list briefing upcoming",
		"transfer my subscriptions to bob":      "hand_over",
		"make it private":                       "subscription_update",
		"set the logo of netflix":               "logo_set",
		"end my free trial":                     "trial_decide",
		"how expensive is my rent":              "subscription_get subscription_list search",
		"which subscriptions are paused":        "subscription_list",
		"skip the february payment":             "charge_skip",
		"change the billing day to the 15th":    "subscription_update",
		"raise the price of the gym to 35 euro": "price_set",
		"what will I be charged in December":    "upcoming calendar",
		"delete the category streaming":         "category_delete",
		"how much would I save":                 "savings",
		"set notice period to three months":     "subscription_terms",
		// German
		"kündigen":                              "subscription_cancel",
		"Kuendigungsfrist eintragen":            "subscription_terms",
		"was zahle ich im monat":                "overview",
		"wie viel haben wir 2026 ausgegeben":    "spending",
		"Netflix pausieren":                     "subscription_pause",
		"was wird als nächstes abgebucht":       "upcoming",
		"neues Abo anlegen":                     "subscription_add",
		"Kategorie umbenennen":                  "category_update",
		"Kreditkarte hinzufügen":                "payment_method_add",
		"Miete mit Mitbewohnern teilen":         "subscription_share",
		"was ist teurer geworden":               "price_changes",
		"Probeabo behalten":                     "trial_decide",
		"Erinnerung erledigt":                   "reminder_done",
		"Wechselkurse":                          "rate_list",
		"alle meine Daten herunterladen":        "export",
		"Strom wird ab Mai teurer":              "price_set",
		"Abo loswerden":                         "subscription_cancel",
		"Handyvertrag kündigen":                 "subscription_cancel",
		"wann muss ich kündigen":                "reminder_list subscription_terms",
		"was kostet mich Streaming pro Jahr":    "spending overview",
		"Miete bezahlt":                         "charge_confirm charges_bulk_confirm",
		"Kontoauszug einlesen":                  "import_apply",
		"Logo ändern":                           "logo_set",
		"Abo löschen":                           "subscription_delete",
		"doppelte Abos finden":                  "savings",
		"Fitnessstudio ruhen lassen":            "subscription_pause",
		"Rechnung von gestern eintragen":        "charge_add",
		"Schlagwort umbenennen":                 "tag_rename",
		"meine Verträge anzeigen":               "subscription_list",
		"auf Jahreszahlung umstellen":           "subscription_update",
		"alle Abos auf eine andere Karte":       "payment_method_merge subscriptions_bulk_update",
		"Rechnung überspringen":                 "charge_skip",
		"Preis erhöhen":                         "price_set",
		"welche Karte nutze ich":                "payment_method_list",
		"zeig mir den Dezember":                 "calendar",
		"Abo von monatlich auf jährlich ändern": "subscription_update",
		"Export als Excel":                      "export",
		"wer zahlt die Miete":                   "share_overview subscription_share",
		"Testphase endet":                       "trial_decide",
		"Kategorie löschen":                     "category_delete",
		"Abbuchung falsch":                      "charge_update charge_delete",
		// Spanish
		"pausar netflix":                   "subscription_pause",
		"dar de baja el gimnasio":          "subscription_cancel",
		"cuánto pago al mes":               "overview",
		"cuanto gastamos el año pasado":    "spending",
		"próximos pagos":                   "upcoming",
		"cambiar el nombre de categoría":   "category_update",
		"añadir una tarjeta":               "payment_method_add",
		"qué ha subido de precio":          "price_changes",
		"compartir el alquiler":            "subscription_share",
		"quién paga qué":                   "share_overview",
		"borrar una etiqueta":              "tag_delete",
		"dónde puedo ahorrar":              "savings",
		"tipo de cambio del dólar":         "rate_list",
		"reanudar el gimnasio":             "subscription_resume",
		"descargar una copia de mis datos": "export",
		"eliminar una suscripción":         "subscription_delete",
		"qué tengo que pagar mañana":       "upcoming",
		"ver mis contratos":                "subscription_list",
		"subir un extracto":                "import_apply",
		"cuándo termina mi contrato":       "subscription_terms subscription_get",
		"marcar como pagado":               "charge_confirm charges_bulk_confirm",
		"cambiar de compañía de luz":       "subscription_replace",
		"dividir internet entre tres":      "subscription_share",
		"cancelar todas las suscripciones": "subscriptions_bulk_cancel",
		"en qué gastamos más":              "spending",
		"poner el piso a medias":           "subscription_share",
		"buscar gimnasio":                  "search",
		"saltar el cobro de febrero":       "charge_skip",
		"subir el precio a 35":             "price_set",
		"qué se cobra en diciembre":        "upcoming calendar",
		"quiénes comparten netflix":        "subscription_share share_overview",
		"borrar categoría":                 "category_delete",
		"exportar a excel":                 "export",
		"acabar la prueba":                 "trial_decide",
		"reactivar el gimnasio":            "subscription_resume",
		"corregir el importe":              "charge_update",
		"con qué tarjeta pago":             "payment_method_list",
	} {
		var got []string
		for _, f := range m.Find(model(gate.ModeAsk), words, 3) {
			got = append(got, strings.TrimPrefix(f.Name, "household_"))
		}
		if !slices.ContainsFunc(strings.Fields(want), func(w string) bool { return slices.Contains(got, w) }) {
			t.Errorf("%q: %v, want %s", words, got, want)
		}
	}
}

// TestWhatModelsNeverFind: what is hidden, for operators or out of an agent's
// mode is neither listed nor found, and is refused by name.
func TestWhatModelsNeverFind(t *testing.T) {
	i := newInstance(t)
	m := i.menu()
	for _, mode := range []gate.Mode{gate.ModeRead, gate.ModeAsk, gate.ModeTrusted} {
		for _, tool := range i.registry.Tools() {
			may := tool.Hidden == "" && (mode != gate.ModeRead || tool.Effect == tools.EffectRead)
			is := func(f offer.Found) bool { return f.Name == tool.Name }
			if found := slices.ContainsFunc(m.Find(model(mode), tool.Name, 10), is); found != may {
				t.Errorf("%s: %s is found: %v", mode, tool.Name, found)
			}
			e, err := m.Lookup(model(mode), tool.Name)
			if (err == nil) != may || (err != nil && tools.KindOf(err) != tools.Forbidden) || e.Name != tool.Name {
				t.Errorf("%s: %s: %v", mode, tool.Name, err)
			}
		}
	}
}
