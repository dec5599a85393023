package e2e

import "testing"

// TestOperatorSettings: what the environment says is locked, and what one operator says
// is not overwritten by another who has not seen it.
func TestOperatorSettings(t *testing.T) {
	onBoth(t, func(t *testing.T, l look) {
		i := serve(t, "NODKEEP_WAITING_MAX=7")
		i.command("account", "add", "eve", "--password", password, "--operator")
		w := i.signIn("ana", l)
		w.visit("#/operator/settings")
		w.see("NODKEEP_WAITING_MAX", l.say("Entorno", "Umgebung"), l.say("sin definir", "nicht gesetzt"))
		w.until("that it is locked", `[...document.querySelectorAll("div.op-row")].some((e) => e.textContent.includes("NODKEEP_WAITING_MAX")) && [...document.querySelectorAll("button.op-row")].some((e) => e.textContent.includes("NODKEEP_SIGN_UP"))`)
		w.accessible()
		w.keep("settings")

		name, save := l.say("Quién puede crear una cuenta", "Wer ein Konto anlegen darf"), l.say("Guardar", "Speichern")
		w.press(name)
		eve := i.signIn("eve", l)
		eve.visit("#/operator/settings")
		eve.press(name)
		eve.fill(l.say("Valor nuevo", "Neuer Wert"), "closed")
		eve.accessible()
		eve.press(save)
		eve.see(l.say("cerrado: solo", "geschlossen: nur"))

		w.allow("409")
		w.fill(l.say("Valor nuevo", "Neuer Wert"), "open")
		w.press(save)
		w.see("closed", l.say("se reemplaza", "ersetzt jetzt"))
		w.accessible()
		w.keep("conflict")
		if is := i.setting("NODKEEP_SIGN_UP"); is != "closed" {
			t.Errorf("it was overwritten: %v", is)
		}
		w.press(save)
		w.see(l.say("abierto: todos", "offen: alle"))
		eve.see(l.say("abierto: todos", "offen: alle")) // by itself

		// A value that is none stays where it was typed.
		w.allow("400")
		w.press(l.say("Preguntas seguidas", "Fragen auf einmal"))
		w.fill(l.say("Valor nuevo", "Neuer Wert"), "zero")
		w.press(save)
		w.until("the refusal", `document.querySelector("dialog [role=alert]")`)
		w.until("what was typed", `document.querySelector("dialog input").value === "zero"`)
		w.fill(l.say("Valor nuevo", "Neuer Wert"), "9")
		w.press(save)
		w.until("the value", `!document.querySelector("dialog") && [...document.querySelectorAll(".op-row")].some((e) => e.textContent.includes("NODKEEP_MESSAGE_BURST") && e.querySelector(".op-value").textContent === "9")`)
	})
}

// setting is what a setting is now.
func (i *instance) setting(name string) any {
	i.t.Helper()
	items, _ := i.ask("ana", "GET", "/api/nodkeep/operator/settings?limit=200", nil)["items"].([]any)
	for _, s := range items {
		if s := s.(map[string]any); s["name"] == name {
			return s["value"]
		}
	}
	return nil
}

// TestOperatorHealth says what needs attention, and what there is of backups.
func TestOperatorHealth(t *testing.T) {
	onBoth(t, func(t *testing.T, l look) {
		i := serve(t, "NODKEEP_URL=http://nodkeep.example.org", "NODKEEP_SIGN_UP=open")
		w := i.signIn("ana", l)
		w.visit("#/operator")
		w.press(l.say("Estado", "Zustand"))
		w.see(l.say("Quien encuentre esta instancia", "Wer diese Instanz findet"), l.say("Ninguna copia se hace sola", "Keine Sicherung entsteht"), l.say("Nadie ha preguntado", "Niemand hat einen Assistenten"))
		w.press(l.say("7 cosas", "7 Dinge"))
		w.see(l.say("La cadena de auditoría está íntegra", "Die Audit-Kette ist unversehrt"))
		w.accessible()
		w.keep("health")
	})
}
