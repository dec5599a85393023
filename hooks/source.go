package hooks

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"net/textproto"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// settled is how long a server runs before it fetches anything: a start that
// fails for another reason should ask nobody.
const settled = 5 * time.Second

// errNoOperator says that there is nobody as whom a source could be taken.
var errNoOperator = errors.New("there is no operator to take it for")

// sources are those that the settings have switched on.
func (a *App) sources() []tools.Source {
	return slices.DeleteFunc(a.registry.Sources(), func(s tools.Source) bool { return !slices.Contains(a.settings.Sources, s.Name) })
}

// followSources takes from each source what it has, until it is stopped. Each
// has a line of its own, so that none is fetched twice at once.
func (a *App) followSources(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, s := range a.sources() {
		all.Go(func() { a.followSource(ctx, s) })
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// followSource begins where the source was last taken, since a server may
// start often.
func (a *App) followSource(ctx context.Context, s tools.Source) {
	wait := a.settled
	if last, err := a.runner.Taken(ctx, s); err == nil {
		wait = max(wait, time.Until(last.Add(s.Every)))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		err := a.takeSource(ctx, s)
		if ctx.Err() != nil {
			return // the server stops: it was given up
		}
		a.tellSource(s, err)
		wait = s.Every
	}
}

// tellSource keeps what became of a source for doctor, and logs what failed
// without words: they would be those of whoever answered.
func (a *App) tellSource(s tools.Source, err error) {
	a.tried.Store(s.Name, tried{time.Now(), err})
	if err != nil {
		a.pb.Logger().Warn("a source could not be taken; it is tried again", "source", s.Name, "in", s.Every.String(), "reason", reasonOf(err))
	}
}

// tried is when a source was last fetched by this process, and what came of it.
type tried struct {
	at  time.Time
	err error
}

// reasonOf is what may be told of an error: of a tool its kind and key, whose
// arguments may repeat what was fetched; of a mail server its code, whose words
// may repeat an address.
func reasonOf(err error) string {
	if said, ok := errors.AsType[*textproto.Error](err); ok {
		return "the server answered " + strconv.Itoa(said.Code)
	}
	if own, ok := errors.AsType[*tools.Error](err); ok {
		return string(own.Kind) + " " + own.Text.Key
	}
	return err.Error()
}

// takeSource fetches a source and has its tool take what there is, as the
// operator. Where nothing is new, nothing is written, not even an entry.
func (a *App) takeSource(ctx context.Context, s tools.Source) error {
	operator, err := a.operator()
	if err != nil {
		return err
	}
	text, err := a.fetch(ctx, s.URL)
	if err != nil {
		return err
	}
	args, err := json.Marshal(map[string]string{s.Arg: text})
	if err != nil {
		return err
	}
	actor := tools.Actor{Person: operator.Id, Door: tools.DoorHook, AgentName: s.Name}
	inv := tools.Invocation{Tool: s.Tool, Args: args}
	p, err := a.runner.Preview(ctx, actor, inv)
	if err != nil || len(p.Items[0].Changes)+p.Items[0].Unseen == 0 {
		return err
	}
	_, err = a.runner.Apply(ctx, actor, p.Digest, inv)
	return err
}

// operator is the one who has been it for longest.
func (a *App) operator() (*core.Record, error) {
	recs, err := a.pb.FindRecordsByFilter(users, "status = {:status} && operator = true", "created,id", 1, 0, map[string]any{"status": tools.Approved})
	if err != nil {
		return nil, err
	}
	if len(recs) == 0 {
		return nil, errNoOperator
	}
	return recs[0], nil
}

// checkSources says what becomes of each source that is switched on.
func (a *App) checkSources(ctx context.Context) ([]check, error) {
	on := a.sources()
	if len(on) == 0 {
		return []check{{Name: "sources", Says: "none is switched on: nothing is fetched"}}, nil
	}
	var checks []check
	for _, s := range on {
		c, err := a.checkSource(ctx, s)
		if err != nil {
			return nil, err
		}
		checks = append(checks, c)
	}
	return checks, nil
}

func (a *App) checkSource(ctx context.Context, s tools.Source) (check, error) {
	c := check{Name: "source", Says: fmt.Sprintf("%s (%s)", s.Name, a.catalogue.English(tools.T(s.Title)))}
	if _, err := a.operator(); errors.Is(err, errNoOperator) {
		c.Says, c.Fix = c.Says+" is not fetched: "+err.Error(), "Make one: "+a.firstAccount()
		return c, nil
	} else if err != nil {
		return c, err
	}
	last, err := a.runner.Taken(ctx, s)
	if err != nil {
		return c, err
	}
	if v, ok := a.tried.Load(s.Name); ok && v.(tried).err != nil {
		t := v.(tried)
		c.Says += fmt.Sprintf(" could not be taken at %s: %s", t.at.UTC().Format(time.RFC3339), reasonOf(t.err))
		c.Fix = fmt.Sprintf("It is tried again every %g hours. See that this machine reaches %s.", s.Every.Hours(), s.URL)
		return c, nil
	}
	c.Says += fmt.Sprintf(" is fetched by the server every %g hours; ", s.Every.Hours())
	if last.IsZero() {
		c.Says += "it has brought nothing yet"
	} else {
		c.Says += "it last had something new at " + last.Format(time.RFC3339)
	}
	return c, nil
}
