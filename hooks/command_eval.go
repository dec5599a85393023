package hooks

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/eval"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// evaluation is what the flags of eval say.
type evaluation struct {
	assistant, lang, cost string
	only                  []string
	tokens                int64
	yes                   bool
	before                func(eval.Question, int, eval.Expected) // tests are told of each turn
}

func (a *App) evalCommand() *cobra.Command {
	var with evaluation
	c := &cobra.Command{
		Use: "eval", Short: "Asks an assistant questions about a made-up household, which may cost something, and prints a score", Args: wants(0, 0),
		Example: "  nodkeep eval --assistant local\n  nodkeep eval --only write,injection --lang de",
		RunE: func(c *cobra.Command, _ []string) error {
			if a.root().PersistentFlags().Changed("dir") {
				return errors.New("eval makes a folder of its own and throws it away: leave out --dir. Assistants are those of the environment, or of assistants.env beside the usual data folder")
			}
			return failed(a.eval(c.Context(), with))
		},
	}
	c.Flags().StringVar(&with.assistant, "assistant", "", "the id of the assistant; the first that is set up unless given")
	c.Flags().StringSliceVar(&with.only, "only", nil, "only these questions: numbers, ids, kinds, or words in them, with commas between")
	c.Flags().StringVar(&with.lang, "lang", "", "only questions in this language: en, de or es")
	c.Flags().StringVar(&with.cost, "most-cost", "1", "what it may cost at most, in the currency of ASSISTANT_CURRENCY")
	c.Flags().Int64Var(&with.tokens, "most-tokens", 3_000_000, "how many tokens it may use at most of a host whose prices nobody knows")
	c.Flags().BoolVar(&with.yes, "yes", false, "asks a host on the network without a question before")
	return c
}

// eval asks, and says what came of it.
func (a *App) eval(ctx context.Context, with evaluation) (err error) {
	if len(a.problems) > 0 {
		return settingsError(a.problems)
	}
	all, err := with.questions()
	if err != nil {
		return err
	}
	most := eval.Most{Tokens: with.tokens}
	if most.Cost, err = roster.Micros(with.cost); err != nil {
		return errors.New("--most-cost is an amount such as 1 or 2.50")
	}
	is, err := a.evaluated(ctx, with.assistant)
	if err != nil {
		return err
	}
	t, err := a.newTrials(ctx, is)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.end()) }()
	most.Prices, most.Free = t.most.Prices, is.Scripted() || is.Local && t.most.Prices == nil
	t.most = most
	fmt.Fprintln(a.Stderr, a.evalPreface(is, most, all))
	if !is.Local && !is.Scripted() && !with.yes {
		if !a.Terminal() {
			return errors.New("this may cost money: --yes says that it may")
		}
		if ok, err := a.goesOn(ctx); err != nil || !ok {
			return cmp.Or(err, errors.New("nothing was asked"))
		}
	}
	today := tools.DateOf(time.Now())
	if a.now != nil {
		today = tools.DateOf(a.now())
	}
	r, err := eval.Run(ctx, eval.Config{
		Questions: all, Assistant: is.ID, Today: today, Fresh: t.fresh, Asking: with.before,
		Done: func(res eval.Result) { fmt.Fprintln(a.Stderr, evalLine(res)) },
	})
	r.Assistant = assistant.Asked{ID: is.ID, Name: is.Name, Model: is.Model, Local: is.Local, Scripted: is.Scripted()}
	r.Host, r.Day, r.Currency = is.Host, today.String(), a.settings.models.Currency
	if err != nil && ctx.Err() != nil {
		err = errors.New("stopped: nothing more was asked")
	}
	return errors.Join(a.sayEval(r), err)
}

// questions are those that the flags leave.
func (with evaluation) questions() ([]eval.Question, error) {
	all, err := eval.Set()
	if err == nil && with.lang != "" {
		all, err = eval.Only(all, with.lang)
		if !slices.Contains([]string{"en", "de", "es"}, with.lang) {
			err = errors.New("--lang is en, de or es")
		}
	}
	if err != nil {
		return nil, err
	}
	return eval.Only(all, with.only...)
}

// evaluated is the assistant that is asked. Those that operators have set up in a
// data folder are not looked at: nothing of that is opened.
func (a *App) evaluated(ctx context.Context, id string) (roster.Assistant, error) {
	r, err := roster.New(roster.Config{Fixed: a.settings.models.Assistants, Scripts: a.scripts, Transport: a.asked})
	if err != nil {
		return roster.Assistant{}, err
	}
	all, err := r.All(ctx)
	if err != nil {
		return roster.Assistant{}, err
	}
	var there []string
	for _, is := range all {
		if is.ID == id || id == "" && is.Ready() {
			if !is.Ready() {
				return is, fmt.Errorf("%s lacks %s", is.ID, strings.Join(is.Lacks, ", "))
			}
			return is, nil
		}
		there = append(there, is.ID)
	}
	says := "the environment sets up no assistant that can be asked"
	if id != "" {
		says = fmt.Sprintf("the environment sets up no assistant %q", id)
	}
	if len(there) > 0 {
		return roster.Assistant{}, errors.New(says + "; there is: " + strings.Join(there, ", "))
	}
	near, err := r.Suggest(ctx)
	for _, s := range near {
		if s.Local && len(s.Models) > 0 {
			return roster.Assistant{}, fmt.Errorf("%s; %s answers on this machine:\n  ASSISTANTS=local ASSISTANT_LOCAL_BASE_URL=%s ASSISTANT_LOCAL_MODEL=%s %s eval", says, s.Name, s.BaseURL, visible(s.Models[0]), quoted(os.Args[0]))
		}
	}
	return roster.Assistant{}, errors.Join(errors.New(says+": name one in ASSISTANTS, with its ASSISTANT_ID_MODEL and what else it needs"), err)
}

// evalPreface says what is about to be done.
func (a *App) evalPreface(is roster.Assistant, most eval.Most, all []eval.Question) string {
	lines := []string{fmt.Sprintf("%d questions, %d turns, for %s (%s at %s).", len(all), eval.Turns(all), visible(is.Name), visible(is.Model), is.Host)}
	if is.Scripted() {
		lines[0] = fmt.Sprintf("%d questions, %d turns, for %s, which is a script.", len(all), eval.Turns(all), visible(is.Name))
	}
	lines = append(lines, "They are about a household that is made up, in a folder that is thrown away: nothing of yours is read or sent.")
	currency := a.settings.models.Currency
	likely, known := most.Likely(all)
	switch {
	case most.Free:
		lines = append(lines, "It costs nothing.")
	case known:
		lines = append(lines, fmt.Sprintf("It costs about %s %s, and at most %s %s (--most-cost), where it stops.", amount(likely), currency, amount(most.Cost), currency))
	default:
		lines = append(lines, fmt.Sprintf("Nobody knows its prices (ASSISTANT_…_PRICE_INPUT and _OUTPUT): it stops at %d tokens (--most-tokens), whatever they cost.", most.Tokens))
	}
	return strings.Join(lines, "\n")
}

// amount is millionths as people read them, to the cent.
func amount(micros int64) string {
	if micros > 0 && micros < 10_000 {
		return "less than 0.01"
	}
	cents := (micros + 5000) / 10_000
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

// goesOn waits for a clear yes.
func (a *App) goesOn(ctx context.Context) (bool, error) {
	fmt.Fprint(a.Stderr, "Go on? [y/N] ")
	in := bufio.NewReader(a.Stdin) // the wait may be left behind
	return untilStopped(ctx, func() (bool, error) {
		said, _ := in.ReadString('\n')
		return slices.Contains([]string{"y", "yes", "j", "ja", "s", "sí", "si"}, strings.ToLower(strings.TrimSpace(said))), nil
	})
}

// evalLine is what came of a question.
func evalLine(r eval.Result) string {
	verdict := "ok"
	if !r.Passed {
		verdict = "failed"
	}
	line := fmt.Sprintf("%3d  %-6s  %-9s  %s  %s", r.Number, verdict, r.Kind, r.Language, r.ID)
	if len(r.Faults) > 0 {
		line += ": " + strings.Join(r.Faults, "; ")
	}
	return visible(strings.ReplaceAll(line, "\n", " "))
}

// sayEval prints the score.
func (a *App) sayEval(r eval.Report) error {
	if !a.reads() {
		b, err := json.Marshal(r, json.Deterministic(true))
		if err != nil {
			return err
		}
		return a.print(b)
	}
	share := func(s eval.Score) string { return fmt.Sprintf("%d of %d, %d %%", s.Met, s.Of, s.Percent()) }
	rows := [][]string{{"", ""}}
	for _, k := range r.Kinds {
		rows = append(rows, []string{string(k.Kind), share(k)})
	}
	rows = append(rows, []string{"all", share(r.Score)})
	if r.OneCard.Of > 0 {
		rows = append(rows, []string{"one card per request", share(r.OneCard)})
	}
	rows = append(rows, []string{"cards nobody asked for", fmt.Sprint(r.Unwanted)})
	u := r.Usage
	rows = append(rows, []string{"tokens", fmt.Sprintf("%d in (%d read from a cache, %d written to one), %d out, in %d requests", u.Uncached+u.CacheRead+u.CacheWrite, u.CacheRead, u.CacheWrite, u.Output, u.Requests)})
	if !u.Unpriced {
		rows = append(rows, []string{"cost", amount(r.Cost) + " " + r.Currency})
	}
	if r.Stopped != "" {
		rows = append(rows, []string{"not asked", fmt.Sprintf("%d: %s", r.Left, r.Stopped)})
	}
	return a.table(rows)
}
