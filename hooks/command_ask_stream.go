package hooks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
)

// askEvent is an event as a command reads it.
type askEvent struct {
	ID   int                 `json:"id"`
	Kind assistant.EventKind `json:"event"`
	Data jsontext.Value      `json:"data"`
}

// asksAgain is how often in a row a command asks for the rest of an answer.
const asksAgain = 5

// follow sends a question and gives each event of its turn, until it is over. A
// stream that breaks is taken up again where it broke: the same question of the
// same client is the same turn.
func (t *inquirer) follow(ctx context.Context, r request, body []byte, each func(askEvent) error) error {
	last, tries := 0, 0
	for {
		r.body, r.last = bytes.NewReader(body), last
		over, err := t.listen(ctx, r, func(e askEvent) error {
			last, tries = e.ID, 0
			return each(e)
		})
		switch {
		case over, err != nil && !errors.Is(err, errBroken):
			return err
		case ctx.Err() != nil:
			return failure{errors.New("stopped before it began, or could not be stopped in time")}
		case tries == asksAgain:
			return failure{fmt.Errorf("the answer broke off: %w", err)}
		}
		tries++
		select {
		case <-time.After(time.Duration(tries) * 200 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// errBroken says that a stream ended before its turn.
var errBroken = errors.New("the server went away")

// listen sends a question once, and reads what is answered as it comes. Where no
// server lives the turn runs in this very process.
func (t *inquirer) listen(ctx context.Context, r request, each func(askEvent) error) (over bool, err error) {
	do, err := t.reach(ctx)
	if err != nil {
		return false, failed(err)
	}
	if t.handler != nil {
		do = inside{local(t.handler)}.RoundTrip
	}
	req, err := r.http(ctx)
	if err != nil {
		return false, failed(err)
	}
	resp, err := do(req)
	if err != nil {
		return false, errors.Join(errBroken, err)
	}
	defer func() { _ = resp.Body.Close() }() // it was read, or is of no use any more
	if resp.StatusCode != http.StatusOK {
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			return false, failed(gone(err))
		}
		return false, t.refuse(b)
	}
	return events(resp.Body, each)
}

// maxEvent is more than any event of ours has, in bytes.
const maxEvent = 16 << 20

// events reads a stream of our own, until the event that ends a turn.
func events(body io.Reader, each func(askEvent) error) (over bool, err error) {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxEvent)
	var e askEvent
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.ID, _ = strconv.Atoi(value)
		case "event":
			e.Kind = assistant.EventKind(value)
		case "data":
			e.Data = append(e.Data, value...)
		}
		if lines.Text() != "" || e.Kind == "" {
			continue
		}
		if err := each(e); err != nil {
			return false, err
		}
		if over = over || e.Kind == assistant.EventTurn; over {
			_, _ = io.Copy(io.Discard, body) // the handler is done when there is no more
			return true, nil
		}
		e = askEvent{}
	}
	return false, errors.Join(errBroken, lines.Err())
}
