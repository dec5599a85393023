package bridge

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
)

// again begins a session anew that the handler knows no more, once for all that
// find it gone.
func (b *Bridge) again(lost *session) error {
	ctx := b.ctx // it is for all, whoever found it gone
	b.renew.Lock()
	defer b.renew.Unlock()
	b.mu.Lock()
	now := b.session
	b.mu.Unlock()
	if now != lost {
		return nil
	}
	result, id, err := b.call(ctx, lost.first, nil)
	if err != nil {
		return fmt.Errorf("begin the session anew: %w", err)
	}
	s := b.newSession(lost.first, id, result)
	if s.version != lost.version {
		s.end()
		return fmt.Errorf("the server that is there now speaks version %s, the one before spoke %s: connect again", s.version, lost.version)
	}
	if lost.ready.raw != nil {
		if _, _, err := b.call(ctx, lost.ready, s); err != nil {
			s.end()
			return fmt.Errorf("begin the session anew: %w", err)
		}
	}
	b.mu.Lock()
	b.session = s
	asked := slices.Collect(maps.Keys(b.asked))
	clear(b.asked)
	said := maps.Clone(b.watched)
	if s.ready = lost.ready; s.ready.raw != nil {
		go b.listen(s)
	}
	b.mu.Unlock()
	lost.end()
	b.takeBack(asked)
	for about, raw := range said {
		m, err := parse(raw)
		if err == nil {
			_, _, err = b.call(ctx, m, s)
		}
		if err != nil {
			b.Log.Warn("the session that began anew lacks something", "what", about, "error", err)
		}
		if m.method == "resources/subscribe" { // it may have changed meanwhile
			b.notify("notifications/resources/updated", map[string]any{"uri": m.name})
		}
	}
	b.tellLists(s)
	return nil
}

// tellLists says that every list may be another one: nobody listened for a while.
func (b *Bridge) tellLists(s *session) {
	for _, list := range []string{"tools", "resources", "prompts"} {
		able, _ := s.able[list].(map[string]any)
		if changes, _ := able["listChanged"].(bool); changes {
			b.notify("notifications/"+list+"/list_changed", nil)
		}
	}
}

// call sends a message that the client does not wait for, and gives what it is
// answered.
func (b *Bridge) call(ctx context.Context, m message, s *session) (result jsontext.Value, session string, err error) {
	resp, _, err := b.post(ctx, m, s)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = resp.Body.Close() }() // what matters was read
	if resp.StatusCode == http.StatusUnauthorized {
		return nil, "", b.refused()
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return nil, "", fmt.Errorf("status %d: %s", resp.StatusCode, said(resp))
	}
	if len(m.wants()) == 0 {
		return nil, "", nil
	}
	answer := func(data []byte) {
		e, bad := open(data)
		switch {
		case bad != nil || e.Method != nil || identity(e.ID) != m.id:
		case len(e.Error) > 0:
			err = errors.New(wording(e.Error))
		default:
			result = e.Result
		}
	}
	var broken error
	if media(resp) == "text/event-stream" {
		broken = events(resp.Body, answer)
	} else if data, bad := io.ReadAll(io.LimitReader(resp.Body, maxEvent)); bad == nil {
		answer(data)
	} else {
		broken = bad
	}
	if err == nil && result == nil {
		err = errors.Join(errSilent, broken)
	}
	return result, resp.Header.Get("Mcp-Session-Id"), err
}

// wording is the sentence of a JSON-RPC error.
func wording(raw jsontext.Value) string {
	var e struct {
		Message string `json:"message"`
	}
	if err := json.Unmarshal(raw, &e); err != nil || e.Message == "" {
		return string(raw)
	}
	return e.Message
}
