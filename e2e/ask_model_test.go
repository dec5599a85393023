package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// modelHost is a host of models for one test: what it answers follows from the last words of
// the question. It speaks the protocol openai, as local programs do.
type modelHost struct {
	mu    sync.Mutex
	asked []string
	body  string // of the last request
}

// last is the last request, as it came.
func (h *modelHost) last() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.body
}

// withModel serves an instance whose assistant, far, is at such a host, granted to everybody.
func withModel(t *testing.T, env ...string) (*instance, *modelHost) {
	t.Helper()
	h := &modelHost{}
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	i := serve(t, append([]string{
		"ASSISTANTS=far", "ASSISTANT_FAR_NAME=Far", "ASSISTANT_FAR_PROTOCOL=openai", "ASSISTANT_FAR_BASE_URL=" + server.URL + "/v1",
		"ASSISTANT_FAR_MODEL=m-1", "ASSISTANT_FAR_PRICE_INPUT=1", "ASSISTANT_FAR_PRICE_OUTPUT=4",
	}, env...)...)
	i.ask("ana", "POST", "/api/nodkeep/operator/grants", map[string]any{"assistant": "far", "allow": true, "everybody": true})
	return i, h
}

// questions are those that were asked so far, by their last words.
func (h *modelHost) questions() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.asked...)
}

type chatAsked struct {
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
}

func (h *modelHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in chatAsked
	body, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	h.body = string(body)
	h.mu.Unlock()
	if json.Unmarshal(body, &in) != nil || len(in.Messages) == 0 {
		http.Error(w, "{}", http.StatusBadRequest)
		return
	}
	last := in.Messages[len(in.Messages)-1]
	said := string(last.Content)
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(delta map[string]any, finish any) bool {
		b, _ := json.Marshal(map[string]any{"id": "c", "object": "chat.completion.chunk", "model": "m-1", "choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		_, err := fmt.Fprintf(w, "data: %s\n\n", b)
		_ = http.NewResponseController(w).Flush()
		return err == nil && r.Context().Err() == nil
	}
	end := func(finish string) {
		say(map[string]any{}, finish)
		fmt.Fprint(w, `data: {"id":"c","object":"chat.completion.chunk","model":"m-1","choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":50,"total_tokens":1050}}`+"\n\ndata: [DONE]\n\n")
	}
	call := func(name string, all ...map[string]any) {
		var calls []any
		for n, args := range all {
			b, _ := json.Marshal(args)
			calls = append(calls, map[string]any{"index": n, "id": fmt.Sprintf("call_%d", n), "type": "function", "function": map[string]any{"name": name, "arguments": string(b)}})
		}
		say(map[string]any{"tool_calls": calls}, nil)
		end("tool_calls")
	}
	if last.Role == "tool" {
		say(map[string]any{"content": "There you are."}, nil)
		end("stop")
		return
	}
	h.mu.Lock()
	h.asked = append(h.asked, said)
	asked := len(h.asked)
	h.mu.Unlock()
	switch {
	case strings.Contains(said, "count slowly"):
		for n := 1; say(map[string]any{"content": fmt.Sprintf("Zahl %d äöü 🎉. ", n)}, nil); n++ { // until it is stopped
			time.Sleep(100 * time.Millisecond)
		}
	case strings.Contains(said, "odd words"):
		for _, piece := range strings.SplitAfter(odd, " ") {
			say(map[string]any{"content": piece}, nil)
		}
		end("stop")
	case strings.Contains(said, "many changes"):
		var all []map[string]any
		for n := range 5 {
			all = append(all, map[string]any{"currency": "EUR", "name": fmt.Sprintf("<b>Nr %d</b> %s", n, strings.Repeat("lang", 15)), "amount": "5.00", "cycle": "P1M", "first_date": "2027-01-05"})
		}
		call("household_subscription_add", all...)
	case strings.Contains(said, "show total"):
		call("show_screen", map[string]any{"tool": "household_spending", "form": "total"})
	case strings.Contains(said, "show line"):
		call("show_screen", map[string]any{"tool": "household_spending", "args": map[string]any{"by": "month"}, "form": "line"})
	case strings.Contains(said, "one change"):
		call("household_category_add", map[string]any{"name": fmt.Sprintf("Fondue %d", asked)})
	case strings.Contains(said, "many questions"):
		var all []any
		for n := range 4 {
			all = append(all, map[string]any{"text": fmt.Sprintf("Frage %d?", n+1), "choices": []string{"<i>eins</i>", strings.Repeat("zwei", 12)}})
		}
		call("ask_person", map[string]any{"questions": all})
	case strings.Contains(said, "break"):
		say(map[string]any{"content": "I begin and "}, nil)
		panic(http.ErrAbortHandler)
	default:
		say(map[string]any{"content": "Fine."}, nil)
		end("stop")
	}
}

var odd = "# <script>alert(1)</script> Kopf\n\nAbsatz **fett <img src=x onerror=alert(2)>** und `code`.\n\n- eins\n- zwei\n  - drei\n\n1. erstens\n2. zweitens\n\n" +
	"![Bild](https://evil.example/x.png) [klick](javascript:alert(3))\n\n```\n<b>roh</b>\n```\n\nשלום עולם " + oddWord

var oddWord = strings.Repeat("Donaudampfschifffahrt", 20)
