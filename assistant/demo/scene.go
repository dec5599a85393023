package demo

import (
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/offer"
)

// scene is something that can be asked for.
type scene struct {
	key   string              // of a sentence that asks for it
	knows map[string][]string // patterns of it, by language
	play  func(t *turn) reply
}

// scenes are all of them. Where several fit, the first does.
func scenes() []scene {
	return []scene{
		{"demo.try.undo", map[string][]string{
			"en": {"undo", "take|put that|it|this back", "revert"},
			"de": {"ruckgangig|rueckgaengig", "nimm zuruck|zurueck"},
			"es": {"deshaz*|deshacer", "revierte*|revertir"},
		}, takeBack},
		{"demo.try.did", map[string][]string{
			"en": {"what did|have you do|done|change*"},
			"de": {"was hast|haben gemacht|getan|geandert|geaendert"},
			"es": {"que has|hiciste|hecho cambiado|hecho|hiciste"},
		}, tellDone},
		{"demo.try.batch", map[string][]string{
			"en": {"put|move|file|sort under|into|in|as streaming"},
			"de": {"ordne|leg*|pack|setz*|verschieb* unter|in|zu|bei|als streaming"},
			"es": {"pon*|mueve|mete|clasifica en|bajo|como streaming"},
		}, sortUnder},
		{"demo.try.pause", map[string][]string{
			"en": {"pause|suspend|freeze"},
			"de": {"pausier*|pause|aussetzen"},
			"es": {"pausa*|suspende*|congela*"},
		}, pause},
		{"demo.try.trial", map[string][]string{
			"en": {"trial"},
			"de": {"probe*|test*|probezeit"},
			"es": {"prueba"},
		}, endTrial},
		{"demo.try.cancel", map[string][]string{
			"en": {"cancel|terminate|quit"},
			"de": {"kundig*|kuendig*"},
			"es": {"cancela*|anula*", "da|dar|dame de baja"},
		}, cancel},
		{"demo.try.bars", map[string][]string{
			"en": {"bars|bar|chart|graph|diagram", "spent|spend|spending|costs month|months"},
			"de": {"balken*|diagramm|grafik", "ausgaben|ausgegeben|kosten monat|monate|monats*|monatlich"},
			"es": {"barra*|grafico|grafica|diagrama", "gastos|gastado|gastamos mes|meses"},
		}, bars},
		{"demo.try.table", map[string][]string{
			"en": {"table|list", "show everything|all"},
			"de": {"tabelle|liste", "zeig* alles|alle"},
			"es": {"tabla|lista", "muestra*|ensena* todo|todas|todos"},
		}, table},
		{"demo.try.add", map[string][]string{
			"en": {"add|new|enter subscription|contract|something", "add"},
			"de": {"neu*|anlegen|hinzu*|eintragen abo|abonnement|vertrag|etwas", "leg* an"},
			"es": {"anade*|agrega*|nueva|apunta* suscripcion|contrato|algo", "anade*|agrega*"},
		}, add},
		{"demo.try.dearer", map[string][]string{
			"en": {"dearer", "more expensive", "price|prices rise|rises|rose|risen|up|increase*|change*"},
			"de": {"teurer", "preis* gestiegen|erhoh*|erhoeh*|geandert|geaendert"},
			"es": {"subido|encarecido|encarece*", "precio* sub*|cambi*"},
		}, dearer},
		{"demo.try.save", map[string][]string{
			"en": {"save|saving|savings|cheaper"},
			"de": {"spar*|einspar*|gunstiger|guenstiger"},
			"es": {"ahorr*"},
		}, save},
		{"demo.try.due", map[string][]string{
			"en": {"due|upcoming|next|soon"},
			"de": {"fallig|faellig|anstehend*|nachste*|naechste*|demnachst|demnaechst"},
			"es": {"vence*|proxim*|toca"},
		}, due},
		{"demo.try.pay", map[string][]string{
			"en": {"what|how|overview pay|paying|cost|costs|overview"},
			"de": {"zahlen|bezahlen|zahle|kostet|uberblick|ueberblick|ubersicht|uebersicht"},
			"es": {"pagamos|pago|cuesta|resumen|pagar"},
		}, pay},
		{"demo.try.now", map[string][]string{
			"en": {"and|what now|then|next", "now"},
			"de": {"und|was jetzt|nun|dann", "jetzt|nun"},
			"es": {"y ahora|entonces", "ahora"},
		}, now},
	}
}

// tour are the sentences to try, in an order that tells a story.
func tour() []string {
	return []string{
		"demo.try.pay", "demo.try.due", "demo.try.dearer", "demo.try.save", "demo.try.bars", "demo.try.table", "demo.try.batch",
		"demo.try.pause", "demo.try.cancel", "demo.try.now", "demo.try.undo", "demo.try.add", "demo.try.trial", "demo.try.did",
	}
}

// Try are the sentences to try in a language, in an order that tells a story.
func (s *Script) Try(lang string) (all []string) {
	t := turn{s: s, lang: lang}
	for _, key := range tour() {
		all = append(all, t.sentence(key))
	}
	return all
}

// reply is what comes next after a request.
func (s *Script) reply(r gateway.Request) reply {
	t := s.read(r)
	play := help
	t.lang = reads(r)
	if lang, ok := t.answers(); ok {
		t.lang, play = lang, enter
	} else if lang, found, ok := understood(t.words, t.lang); ok {
		t.lang, play = lang, found.play
	} else {
		t.lang = spoke(r, t.lang)
	}
	if why, failed := t.failure(); failed {
		return t.replies("demo.failed", why)
	}
	out := play(&t)
	if t.repeats(out) {
		return t.replies("demo.unread")
	}
	if len(out.calls) == 0 {
		out.text = t.heard() + out.text
	}
	return out
}

// languages are those that it knows, the person's first.
func languages(first string) []string {
	all := []string{first}
	for _, lang := range []string{"en", "de", "es"} {
		if lang != first {
			all = append(all, lang)
		}
	}
	return all
}

// understood is the scene that was asked for, and in which language.
func understood(words []string, reads string) (lang string, found scene, ok bool) {
	all := scenes()
	for _, scene := range all {
		for _, lang := range languages(reads) {
			for _, pattern := range scene.knows[lang] {
				if knows(words, pattern) {
					return lang, scene, true
				}
			}
		}
	}
	return "", scene{}, false
}

// spoke is the language of the last question before this one that was understood.
func spoke(r gateway.Request, reads string) string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role != gateway.User || len(m.Parts) == 0 {
			continue
		}
		if lang, _, ok := understood(offer.Plain(m.Parts[len(m.Parts)-1].Text), reads); ok {
			return lang
		}
	}
	return reads
}

// reads is the language of the person, as the question says it.
func reads(r gateway.Request) string {
	for n := len(r.Messages) - 1; n >= 0; n-- {
		for _, p := range r.Messages[n].Parts {
			if _, rest, ok := strings.Cut(p.Text, "The person reads: "); ok && len(rest) >= 2 {
				for _, lang := range []string{"de", "es"} {
					if strings.HasPrefix(rest, lang) {
						return lang
					}
				}
				return "en"
			}
		}
	}
	return "en"
}

// help says what it is, and what can be asked of it.
func help(t *turn) reply {
	return t.replies("demo.help", "- "+strings.Join(t.s.Try(t.lang), "\n- "))
}
