package gate

import "github.com/nodkeep/nodkeep/tools"

// Mode is what an agent may do without a nod: each may all that the one before
// it may.
type Mode string

// The modes, from narrow to wide.
const (
	ModeRead    Mode = "read"    // look, and change nothing
	ModeAsk     Mode = "ask"     // every change waits for a nod
	ModeWrite   Mode = "write"   // what can be undone runs, unless money is in it
	ModeTrusted Mode = "trusted" // so does that; what destroys or sends asks
)

// decide is the row of a mode in the gate's table. A mode that nobody knows
// may nothing.
func (m Mode) decide(w tools.Weight) tools.Decision {
	switch {
	case m != ModeRead && m != ModeAsk && m != ModeWrite && m != ModeTrusted:
		return tools.Refuse
	case w.Effect == tools.EffectRead:
		return tools.Run
	case m == ModeRead:
		return tools.Refuse
	case m == ModeAsk, w.Effect != tools.EffectWrite, w.Tool == tools.UndoTool, w.Money && m != ModeTrusted:
		return tools.Ask
	}
	return tools.Run
}
