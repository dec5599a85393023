package e2e

import (
	"strings"
	"testing"
)

// english are the words of a tool's form in English that its reader has others for: names made
// into words, what models are told, and what English readers are.
const english = `(async (name) => {
	const [{ get }, { words }] = await Promise.all([import("/lib/api.js"), import("/lib/registry.js")])
	const ask = (lang) => get("/tools/" + name + "/form", {}, { headers: { "Accept-Language": lang } })
	const [en, own] = [await ask("en"), await ask(document.documentElement.lang)]
	const all = new Set(), had = new Set()
	const walk = (s, into, names) => {
		for (const [n, p] of Object.entries(s?.properties || {})) {
			if (names && n !== "cursor") [words(n), p.description].forEach((x) => into.add(x))
			;[p.title, p.hint, ...Object.values(p.labels || {})].forEach((x) => into.add(x))
			walk(p, into, names), walk(p.items, into, names)
		}
	}
	for (const s of [en.input, en.output]) walk(s, all, true)
	for (const s of [own.input, own.output]) walk(s, had)
	return [...all].filter((x) => x && !had.has(x))
})`

// drawn are the texts of the form, and of the table below it.
const drawn = `[...document.querySelectorAll("#main form :is(label, legend, option, .hint, .tick span), #main :is(th, dt, h3, h4)")].map((e) => (e.firstChild?.nodeType === 3 ? e.firstChild.data : e.textContent).replace(/ \((freiwillig|opcional)\)$/, "").trim()).filter(Boolean)`

// inOwnWords opens the form of a tool and finds no English in it.
func (w *tab) inOwnWords(tool string) {
	w.t.Helper()
	title := eval[string](w, `import("/lib/registry.js").then((m) => m.formOf(`+quote(tool)+`)).then((f) => f.title)`)
	w.visit("#/tool/" + tool)
	w.until("the form of "+tool, `document.querySelector("#main h1")?.textContent === `+quote(title)+` && document.querySelector("#main form.tool button") && !document.querySelector("#main [aria-busy=true]")`)
	w.fits(tool)
	if found := eval[[]string](w, english+`(`+quote(tool)+`).then((en) => { const have = `+drawn+`; return have.filter((x) => en.includes(x)) })`); len(found) > 0 {
		w.keep(tool)
		w.t.Errorf("%s says in English: %s", tool, strings.Join(found, " | "))
	}
}

// TestToolForms: the forms of all tools, and the tables of those that ask nothing, speak the
// reader's language on the narrowest screen.
func TestToolForms(t *testing.T) {
	i := demo(t, "de")
	w := i.signIn("ana", look{width: 320, height: 640, language: "de"})
	w.allow("Failed to load resource") // some want to be asked for more
	names := eval[[]string](w, `import("/lib/registry.js").then((m) => m.tools()).then((all) => all.map((x) => x.name))`)
	if len(names) < 90 {
		t.Fatalf("%d tools", len(names))
	}
	for _, name := range names {
		w.inOwnWords(name)
	}
}

// TestToolFormsSpanish looks closer at some.
func TestToolFormsSpanish(t *testing.T) {
	i := demo(t, "es")
	each(t, i, func(t *testing.T, i *instance, l look) {
		l.language = "es"
		w := i.signIn("ana", l)
		for tool, says := range map[string][]string{
			"household_subscription_add":  {"Importe", "Ciclo", "P1M es cada mes"},
			"household_subscription_list": {"Orden", "más cara primero", "Resultado", "Próximo cargo"},
			"household_export":            {"Todo lo que ves del hogar", "JSON, completo"},
			"nodkeep_assistant_set":       {"Esfuerzo", "Dirección"},
		} {
			w.inOwnWords(tool)
			w.run(`document.querySelectorAll("#main details").forEach((d) => (d.open = true))`)
			text := eval[string](w, `document.querySelector("#main").textContent`)
			for _, s := range says {
				if !strings.Contains(text, s) {
					t.Errorf("%s does not say %q", tool, s)
				}
			}
			w.until("people by their handles", `import("/lib/store.js").then((s) => !document.querySelector("#main").textContent.includes(s.me.value.id))`)
			w.accessible()
			w.keep(tool)
		}
	})
}
