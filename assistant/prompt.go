package assistant

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// rules are the part of every request that never changes, so that hosts keep it.
//
//go:embed rules.md
var rules string

// system is the same for everybody and every turn: what changes travels with the
// question.
func system() []gateway.Block { return []gateway.Block{{Text: rules, Cache: true}} }

// surroundings are what a question is asked in: the time, who asks, what is going
// on, what the question is about. They are told with the question and not again
// with those after it.
func (t *turn) surroundings(ctx context.Context) (string, error) {
	now := t.l.now()
	var b strings.Builder
	fmt.Fprintf(&b, "Now: %s UTC, %s.\n", now.Format("2006-01-02 15:04"), now.Weekday())
	if t.zone != nil {
		there := now.In(t.zone)
		fmt.Fprintf(&b, "The person's clock: %s, %s (%s). Tell them times by it.\n", there.Format("2006-01-02 15:04"), there.Weekday(), t.zone)
	}
	fmt.Fprintf(&b, "What you may do: %s\n", mayDo[t.agent.Mode])
	if lang := t.q.Language; lang != "" {
		fmt.Fprintf(&b, "The person reads: %s.\n", lang)
	}
	b.WriteString(data("person", line(t.name, 80)) + "\n")
	if len(t.attached) > 0 {
		b.WriteString("The person attached files. What is not shown to you is read with import_read, if it is a statement:\n" + data("files", strings.Join(t.attached, "\n")) + "\n")
	}
	said, err := t.briefing(ctx)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, s := range said {
		lines = append(lines, t.say(s))
	}
	if len(lines) > 0 {
		b.WriteString(data("what is going on", strings.Join(lines, "\n")) + "\n")
	}
	about, err := t.about(ctx)
	if err != nil {
		return "", err
	}
	if about != "" {
		b.WriteString(about + "\n")
	}
	return "Around this question:\n" + b.String(), nil
}

// prepareBriefing has the briefing made while the turn begins: it takes longer than
// all else before the model is asked. It is the person's own, whoever reads it.
func (l *Loop) prepareBriefing(ctx context.Context, person string, s Scope) (made <-chan struct{}) {
	done := make(chan struct{})
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(s.Records) > 0 { // of some records alone it is not kept
		close(done)
		return done
	}
	ctx = context.WithoutCancel(ctx)
	if !s.Private {
		ctx = tools.WithScope(ctx, tools.Scope{})
	}
	l.wait.Go(func() {
		defer close(done)
		_, _ = l.c.Runner.Brief(ctx, tools.Actor{Person: person, Door: tools.DoorAssistant}) // who reads it is told of an error
	})
	return done
}

// briefing is how things stand, once it was made.
func (t *turn) briefing(ctx context.Context) ([]tools.Text, error) {
	select {
	case <-t.brief:
		return t.l.c.Runner.Brief(ctx, t.agent.Actor)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// mayDo tells a model of its mode.
var mayDo = map[gate.Mode]string{
	gate.ModeRead:    "look things up. You can change nothing; say so if you are asked to.",
	gate.ModeAsk:     "look things up, and propose changes: each waits for the person.",
	gate.ModeWrite:   "look things up, and make changes that can be undone; what costs money, deletes, cancels or sends waits for the person.",
	gate.ModeTrusted: "look things up, and make changes that can be undone; what deletes, cancels or sends waits for the person.",
}

// about names what the question is asked of.
func (t *turn) about(ctx context.Context) (string, error) {
	if len(t.q.Scope.Records) == 0 {
		return "", nil
	}
	named, err := t.l.c.Runner.Named(ctx, t.agent.Actor, t.q.Scope.Records)
	if err != nil {
		return "", err
	}
	var lines []string
	for i, ref := range t.q.Scope.Records {
		lines = append(lines, fmt.Sprintf("%s %s: %s", ref.Collection, ref.ID, line(t.say(tools.Text(named[i])), 120)))
	}
	says := "The question is about these records, and you find no others"
	if t.q.Scope.Of == Tree {
		says += " but what belongs to them"
	}
	return says + ":\n" + data("records", strings.Join(lines, "\n")), nil
}

// seconds of a wait, rounded up.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
