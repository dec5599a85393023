package hooks

import (
	"context"

	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// asksModels are the assistants that can be asked: of others nothing is sent.
func (a *App) asksModels(ctx context.Context) (ready []roster.Assistant, err error) {
	all, err := a.roster.All(ctx)
	for _, is := range all {
		if is.Ready() {
			ready = append(ready, is)
		}
	}
	return ready, err
}

// models says of each assistant what goes where, and what is kept of it.
func (p practice) models() []tools.Text {
	own := []tools.Text{tools.T("privacy.agents"), tools.T("privacy.keys.none")}
	if len(p.assistants) == 0 {
		return append([]tools.Text{tools.T("privacy.assistants.none")}, own...)
	}
	var says []tools.Text
	for _, is := range p.assistants {
		if is.Scripted() {
			says = append(says, tools.T("privacy.assistants.script", is.Name))
			continue
		}
		key := "privacy.assistants.away"
		switch {
		case is.Local:
			key = "privacy.assistants.here"
		case is.Near():
			key = "privacy.assistants.near"
		}
		says = append(says, tools.T(key, is.Name, is.Host))
		if field := is.PersonField(); field != "" {
			says = append(says, tools.T("privacy.assistants.id", is.Name, is.Host, field))
		} else {
			says = append(says, tools.T("privacy.assistants.no_id", is.Name, is.Host))
		}
	}
	says = append(says, tools.T("privacy.assistants.agreed"), tools.T("privacy.assistants.words"), tools.T("privacy.assistants.usage"))
	return append(says, own...)
}
