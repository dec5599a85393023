package roster

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// listed is what a host answers when it is asked which models it has.
type listed struct {
	status int
	page   bool // a page for browsers
	list   bool // a list, if of none
	models []string
	err    error
}

// maxList bounds what is read of a list of models.
const maxList = 4 << 20

// models asks the host of an assistant which it has. It costs nothing.
func (r *Roster) models(ctx context.Context, a Assistant) (l listed) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.below("models"), nil)
	if err != nil {
		return listed{err: err}
	}
	req.Header.Set("Accept", "application/json")
	switch {
	case a.Protocol == gateway.Anthropic:
		req.Header.Set("Anthropic-Version", "2023-06-01") // this list is the same in each
		if a.Key != "" {
			req.Header.Set("X-Api-Key", a.Key)
		}
	case a.Key != "":
		req.Header.Set("Authorization", "Bearer "+a.Key)
	}
	client := http.Client{Transport: r.c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return listed{err: err}
	}
	defer func() { _ = resp.Body.Close() }() // it was only read
	l.status = resp.StatusCode
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxList))
	if err != nil {
		return listed{status: l.status, err: err}
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	l.page = kind == "text/html" || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
	mask := gateway.NewMask(a.Key) // which some repeat
	var list struct {
		Object string `json:"object"`
		Data   []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if resp.StatusCode == http.StatusOK && json.Unmarshal(body, &list, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) == nil {
		l.list = list.Object == "list" || len(list.Data) > 0
		for _, m := range list.Data {
			if id := strings.TrimPrefix(m.ID, "models/"); id != "" && len(id) <= 200 && !strings.ContainsFunc(id, blank) && mask.Hide(id, "") == id {
				l.models = append(l.models, id)
			}
		}
	}
	return l
}

// like are a few models, those first whose names are like the one that was
// wanted.
func like(models []string, wanted string, most int) []string {
	models = slices.Clone(models)
	alike := func(m string) (n int) {
		for n < len(m) && n < len(wanted) && m[n] == wanted[n] {
			n++
		}
		return n
	}
	slices.SortStableFunc(models, func(a, b string) int { return alike(b) - alike(a) })
	return models[:min(len(models), most)]
}
