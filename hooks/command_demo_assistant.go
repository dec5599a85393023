package hooks

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/assistant/demo"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

const (
	// demoScript is the id of the script of a demonstration, demoModel that of a
	// model on this machine that takes its place.
	demoScript = "script"
	demoModel  = "local"
	// demoPause is between two pieces of the script's answers, which come as if
	// somebody wrote them.
	demoPause = 15 * time.Millisecond
)

// demoAssistant is who answers in a demonstration: a model that is on this
// machine, else the script.
type demoAssistant struct {
	model *roster.Suggestion // nil for the script
	lang  string             // that the members read; none is the first of i18n.Languages
}

// findDemoAssistant looks for a model, unless the script is wanted.
func findDemoAssistant(ctx context.Context, script bool) (demoAssistant, error) {
	if script {
		return demoAssistant{}, nil
	}
	r, err := roster.New(roster.Config{})
	if err != nil {
		return demoAssistant{}, err
	}
	near, err := r.Suggest(ctx)
	for _, s := range near {
		if s.Models = talking(s.Models); s.Local && len(s.Models) > 0 {
			return demoAssistant{model: &s}, err
		}
	}
	return demoAssistant{}, err
}

// talking are the models that are likely to answer: others make numbers of texts.
func talking(all []string) (some []string) {
	for _, m := range all {
		if !strings.Contains(strings.ToLower(m), "embed") {
			some = append(some, m)
		}
	}
	return some
}

// env are the settings of the demonstration: its model, and that who tries it may
// ask as fast as they like.
func (d demoAssistant) env(name string) (string, bool) {
	if name == "NODKEEP_MESSAGE_BURST" {
		return "100", true
	}
	if d.model == nil {
		return "", false
	}
	v, ok := map[string]string{
		"ASSISTANTS": demoModel, "ASSISTANT_LOCAL_NAME": d.model.Models[0], "ASSISTANT_LOCAL_BASE_URL": d.model.BaseURL, "ASSISTANT_LOCAL_MODEL": d.model.Models[0],
	}[name]
	return v, ok
}

// script adds the script to an instance that has no model.
func (d demoAssistant) script(a *App) {
	if a.demonstrates = true; d.model != nil {
		return
	}
	say := func(lang string, t tools.Text) string { return a.catalogue.Say(lang, t) }
	a.scripts = []roster.Script{{ID: demoScript, Name: demo.Name, Provider: demo.New(demo.Config{Say: say, Pause: demoPause})}}
}

// granted lets everybody ask it.
func (d demoAssistant) granted(ctx context.Context, a *App, handles []string) error {
	if d.model == nil {
		return a.letAsk(ctx, demoScript, nil)
	}
	return a.letAsk(ctx, demoModel, handles)
}

// demoText says of an instance that it is a demonstration; nil where it is none.
func (a *App) demoText() *tools.Text {
	if !a.demonstrates {
		return nil
	}
	t := tools.T("page.demo.model")
	if len(a.scripts) > 0 {
		t = tools.T("page.demo.script")
	}
	return &t
}

// sayAsk says who answers, and what can be asked.
func (a *App) sayAsk(d demoAssistant) {
	command := fmt.Sprintf("%s ask --as ana --dir %s", quoted(os.Args[0]), quoted(a.dir))
	if d.model != nil {
		fmt.Fprintf(a.Stdout, "Its assistant is %s of %s, at %s: nothing leaves this machine. (--script has one without a model.)\nTalk to it in another terminal:\n  %s\nAsk what you like, such as:\n",
			visible(d.model.Models[0]), d.model.Name, d.model.Host, command)
	} else {
		fmt.Fprintf(a.Stdout, "Its assistant is a script, no model: it knows the sentences below, and its words are fixed. (Those in German or Spanish, too: --language de, --language es.)\nWhat it looks up, proposes and draws is real. Talk to it in another terminal:\n  %s\nand write, in any order:\n", command)
	}
	for _, sentence := range demo.New(demo.Config{Say: a.catalogue.Say}).Try(cmp.Or(d.lang, i18n.Languages()[0])) {
		fmt.Fprintln(a.Stdout, "  "+sentence)
	}
}
