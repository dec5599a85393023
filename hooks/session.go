package hooks

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json/v2"
	"net/http"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// The session of the pages under nodPath. It is a cookie of those pages, and no
// token: no other route reads it, so that what the API does cannot be had by a
// browser that is led there, and who has it can do nothing but use those pages.
const (
	sessionCookie = "nodkeep_session"
	sessionTime   = 7 * 24 * time.Hour // at most: not longer than PocketBase's own
)

// session is what is sealed in the cookie. The hash is of the key that every
// token of the account hangs on: whatever ends those ends this.
type session struct {
	Until int64  `json:"until"`
	Key   []byte `json:"key"`
}

func sessionOwner(account string) tools.Owner {
	return tools.Owner{Collection: users, Record: account, Field: sessionCookie}
}

// newSession is for an account whose person has just signed in.
func (a *App) newSession(rec *core.Record) (value string, lasts time.Duration, err error) {
	lasts = min(sessionTime, rec.Collection().AuthToken.DurationTime())
	key := sha256.Sum256([]byte(rec.TokenKey()))
	b, err := json.Marshal(session{time.Now().Add(lasts).Unix(), key[:]})
	if err != nil {
		return "", 0, err
	}
	sealed, err := a.keys.Seal(sessionOwner(rec.Id), b)
	return rec.Id + "." + sealed, lasts, err
}

// sessionOf is the member that a session is of, as stored now. It says nothing
// of why one is worth nothing, unless the account is no more approved.
func (a *App) sessionOf(value string) (*core.Record, error) {
	id, sealed, _ := strings.Cut(value, ".")
	if id == "" {
		return nil, errSession()
	}
	b, err := a.keys.Open(sessionOwner(id), sealed)
	if err != nil {
		return nil, errSession()
	}
	var s session
	if err := json.Unmarshal(b, &s); err != nil || time.Now().Unix() >= s.Until {
		return nil, errSession()
	}
	rec, err := ifThere(a.pb.FindRecordById(users, id))
	if err != nil {
		return nil, err
	}
	if rec == nil {
		return nil, errSession()
	}
	if why := notAdmitted(tools.Unauthorized, rec); why != nil {
		return nil, why
	}
	if key := sha256.Sum256([]byte(rec.TokenKey())); subtle.ConstantTimeCompare(key[:], s.Key) != 1 {
		return nil, errSession()
	}
	return rec, nil
}

func errSession() error { return tools.Fail(tools.Unauthorized, "nod.session") }

// heldSession is the session that this device holds.
func heldSession(e *core.RequestEvent) string {
	c, err := e.Request.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// keepSession keeps it on the device; lasting less than nothing, it goes. Links
// to a card are opened from elsewhere, a chat or a mail, where a strict cookie
// would not be sent along: this one is, to look; what a page sends is refused
// when another site sent it, by form.
func (a *App) keepSession(e *core.RequestEvent, value string, lasts time.Duration) {
	a.setCookie(e, sessionCookie, value, nodPath, int(lasts.Seconds()), http.SameSiteLaxMode)
}
