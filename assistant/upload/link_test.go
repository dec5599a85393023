package upload

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

func TestLink(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	l, secret := h.link()
	if !strings.HasPrefix(l.Link, "https://home.example/upload/") || l.Expires.Sub(h.now) > LinkTime || len(secret) != 43 {
		t.Errorf("%+v", l)
	}
	var stored row
	if err := h.app.DB().Select("*").From(tools.UploadsTable).One(&stored); err != nil || strings.Contains(strings.Join([]string{stored.Hash, stored.Name, stored.ID}, " "), secret) {
		t.Errorf("the secret is stored: %+v %v", stored, err)
	}
	if who, err := h.For(ctx, secret); err != nil || who != h.ann {
		t.Errorf("%s %v", who, err)
	}
	_, err := h.Read(ctx, h.ann, l.Upload)
	wantKind(t, err, tools.Conflict)

	// What does not come leaves the link good.
	_, err = h.Fill(ctx, secret, -1, func() (tools.Upload, error) { return tools.Upload{}, errCut })
	if err == nil {
		t.Error("what was cut off was taken")
	}
	_, err = h.Fill(ctx, secret, 0, body("", ""))
	wantKind(t, err, tools.Invalid)
	_, err = h.Fill(ctx, secret, MaxBytes+1, body("", ""))
	wantKind(t, err, tools.TooLarge)
	up, err := h.Fill(ctx, secret, 3, body("", "a,b"))
	if err != nil || up.ID != l.Upload || up.Name != "bank.csv" || up.State != Ready {
		t.Errorf("%+v %v", up, err)
	}
	_, err = h.Fill(ctx, secret, 3, body("", "c,d"))
	wantKind(t, err, tools.Expired)
	if file, err := h.Read(ctx, h.ann, l.Upload); err != nil || string(file.Data) != "a,b" {
		t.Errorf("%+v %v", file, err)
	}
}

// TestLinksThatAreOver look alike, whatever is the matter with them.
func TestLinksThatAreOver(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	over := func(what, secret string) {
		t.Helper()
		_, err := h.For(ctx, secret)
		_, filled := h.Fill(ctx, secret, 1, func() (tools.Upload, error) { t.Error(what, "was read"); return tools.Upload{}, nil })
		for _, err := range []error{err, filled} {
			if err == nil || err.Error() != errOver().Error() {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	over("none", "")
	over("unknown", tools.NewSecret())
	_, secret := h.link()
	if _, err := h.Fill(ctx, secret, 1, body("", "x")); err != nil {
		t.Fatal(err)
	}
	over("used", secret)
	l, secret := h.link()
	if err := h.Delete(ctx, h.ann, l.Upload); err != nil {
		t.Fatal(err)
	}
	over("deleted", secret)
	_, secret = h.link()
	h.now = h.now.Add(LinkTime)
	over("expired", secret)

	// By a token: it is worth what the token is.
	col, err := h.app.FindCollectionByNameOrId(tools.TokensTable)
	if err != nil {
		t.Fatal(err)
	}
	token := core.NewRecord(col)
	token.Load(map[string]any{"person": h.ann, "name": "x", "mode": "read", "tools": "core", "hash": tools.Hash("nk_x")})
	if err := h.app.Save(token); err != nil {
		t.Fatal(err)
	}
	byToken := func() string {
		l, err := h.Link(ctx, tools.Actor{Person: h.ann, Agent: token.Id, Token: token.Id}, LinkIn{})
		if err != nil {
			t.Fatal(err)
		}
		return l.Link[len("https://home.example"+Path):]
	}
	secret = byToken()
	if _, err := h.For(ctx, secret); err != nil {
		t.Errorf("by a token that is good: %v", err)
	}
	change := func(values dbx.Params) {
		if _, err := h.app.NonconcurrentDB().Update(tools.TokensTable, values, dbx.HashExp{"id": token.Id}).Execute(); err != nil {
			t.Fatal(err)
		}
	}
	change(dbx.Params{"expires": tools.Stamp(h.now)})
	over("by an expired token", secret)
	change(dbx.Params{"expires": "", "hash": ""})
	over("by a revoked token", secret)

	_, secret = h.link()
	rec, err := h.app.FindRecordById(tools.Members, h.ann)
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("status", "suspended")
	if err := h.app.Save(rec); err != nil {
		t.Fatal(err)
	}
	over("of a suspended person", secret)
}

// TestTwoAtOnceOnOneLink: one file is taken, the other is told that it is over.
func TestTwoAtOnceOnOneLink(t *testing.T) {
	h := newHome(t)
	_, secret := h.link()
	var taken, over atomic.Int32
	var all sync.WaitGroup
	begin := make(chan struct{})
	for range 8 {
		all.Go(func() {
			<-begin
			switch _, err := h.Fill(t.Context(), secret, 1, body("", "x")); {
			case err == nil:
				taken.Add(1)
			case tools.KindOf(err) == tools.Expired:
				over.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	close(begin)
	all.Wait()
	if taken.Load() != 1 || over.Load() != 7 || len(h.kept()) != 1 {
		t.Errorf("%d taken, %d over, %v", taken.Load(), over.Load(), h.kept())
	}
}

func TestNoServerNoLink(t *testing.T) {
	h := newHome(t)
	h.c.Base = func() string { return "" }
	_, err := h.Link(t.Context(), tools.Actor{Person: h.ann}, LinkIn{})
	wantKind(t, err, tools.Unavailable)
}
