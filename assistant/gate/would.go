package gate

import "github.com/nodkeep/nodkeep/tools"

// Would says what becomes of an agent's call of a tool, as far as that is known
// before the call: what is then found in it, money or a deletion, can only make
// it ask.
func (g *Gate) Would(a Agent, tool string) tools.Decision {
	d, err := g.decide(a, tools.Weight{Tool: tool, Effect: g.effect(tool)})
	if err != nil {
		return tools.Refuse
	}
	return d
}

// Refusal says why an agent's call of a tool would be refused, whatever its
// arguments; nil where it would not.
func (g *Gate) Refusal(a Agent, tool string) error {
	_, err := g.decide(a, tools.Weight{Tool: tool, Effect: g.effect(tool)})
	return err
}
