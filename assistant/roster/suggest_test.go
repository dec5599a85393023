package roster

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// machine is a transport to what answers on it, by port; nil answers nothing for
// ever.
type machine map[string]http.Handler

func (m machine) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Hostname() != "127.0.0.1" || r.Header.Get("Authorization") != "" {
		return nil, errors.New("somebody else was asked")
	}
	h, ok := m[r.URL.Port()]
	switch {
	case !ok:
		return nil, errors.New("connection refused")
	case h == nil:
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result(), nil
}

func TestSuggestWhatAnswersFirst(t *testing.T) {
	r, _ := tested(t, Config{
		Fixed: []Fixed{{"mine", fields("base_url=http://localhost:1234/v1", "model=m")}, {"claude", fields("protocol=anthropic", "model=m")}},
		Transport: machine{
			"11434": nil, // silent
			"1234":  host{models: `{"object":"list","data":[{"id":"qwen3:8b"},{"id":"a b"},{"id":""}]}`},
			"8000":  host{models: "<html>a web server</html>"},
			"8080": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/models" {
					t.Error(r.URL)
				}
				_, _ = io.WriteString(w, `{"object":"list","data":null}`)
			}),
		},
	})
	got, err := r.Suggest(t.Context())
	if err != nil || len(got) != 2+len(clouds()) {
		t.Fatal(got, err)
	}
	if s := got[0]; s.Name != "LM Studio" || !s.Local || strings.Join(s.Models, ",") != "qwen3:8b" || s.Used != "mine" || s.BaseURL != "http://127.0.0.1:1234" || s.Protocol != "openai" {
		t.Errorf("%+v", s)
	}
	if s := got[1]; s.Name != "llama.cpp" || s.Models == nil || s.Used != "" {
		t.Errorf("%+v", s)
	}
	for _, s := range got[2:] {
		if s.Local || s.BaseURL == "" || s.Protocol == "" || s.Used != map[string]string{"Anthropic": "claude"}[s.Name] {
			t.Errorf("%+v", s)
		}
	}
}
