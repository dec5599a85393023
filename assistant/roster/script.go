package roster

import (
	"cmp"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// Script is an assistant without a model: something in the program gives its
// answers, which are fixed. Nothing leaves, so that nobody has to agree to it, and
// it costs nothing; its name must say what it is wherever it is shown.
type Script struct {
	ID, Name string
	Mode     gate.Mode // ask unless given
	Images   bool      // it takes pictures
	gateway.Provider
}

// ofScript is what stands for the model of a script.
const ofScript = "script"

func (s Script) assistant() Assistant {
	return Assistant{
		ID: s.ID, Name: s.Name, Protocol: gateway.Scripted, Model: ofScript, Mode: cmp.Or(s.Mode, gate.ModeAsk), Images: s.Images, Local: true, Fixed: true, Locked: Fields(), Prices: &budget.Prices{},
	}
}

// Scripted says that it is no model: its answers are fixed.
func (a Assistant) Scripted() bool { return a.Protocol == gateway.Scripted }

// script is the one with an id.
func (r *Roster) script(id string) (Script, bool) {
	for _, s := range r.c.Scripts {
		if s.ID == id {
			return s, true
		}
	}
	return Script{}, false
}
