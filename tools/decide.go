package tools

// Weight is what a decision is made from: never a model's words.
type Weight struct {
	Effect Effect
	Money  bool
}

// Decision of the gate over a call.
type Decision string

// The decisions.
const (
	Run    Decision = "run"
	Ask    Decision = "ask" // a person must see the card first
	Refuse Decision = "refuse"
)

// DecidePerson is the row of the gate for the person's own click or command:
// what can be undone runs, what destroys or sends shows its card first. Agents
// have no row here and are refused.
func DecidePerson(a Actor, w Weight) Decision {
	switch {
	case a.Agent != "":
		return Refuse
	case w.Effect.weight() >= EffectDestroy.weight():
		return Ask
	}
	return Run
}
