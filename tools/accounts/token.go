package accounts

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Tokens are the credentials by which agents speak for a member.
const Tokens = tools.TokensTable

// What a token may be.
const (
	maxTokens      = 50 // that are good, a person
	maxTokenName   = 80 // characters
	dailyWrites    = 50
	maxDailyWrites = 10000
)

// The standings of a token.
const (
	TokenActive  = "active"
	TokenExpired = "expired"
	TokenRevoked = "revoked"
)

// Token is one as its person sees it, without its secret.
type Token struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	State       string    `json:"state"` // active, expired or revoked
	Mode        string    `json:"mode"`  // read, ask, write or trusted
	Tools       string    `json:"tools"` // core or all
	Plugins     []string  `json:"plugins"`
	OwnSurfaces bool      `json:"own_surfaces"`
	DailyWrites int       `json:"daily_writes"`
	Created     time.Time `json:"created"`
	Expires     time.Time `json:"expires,omitzero"` // never, if it is not there
	Used        time.Time `json:"used,omitzero"`    // last
	Revoked     time.Time `json:"revoked,omitzero"`
	Tainted     time.Time `json:"tainted,omitzero"` // until then it asks for what it could do by itself: it has read what others wrote
}

// NewToken is a token with its secret, which is shown only then.
type NewToken struct {
	Token
	Secret string `json:"token"`
}

func tokenOf(rec *core.Record, now time.Time) Token {
	t := Token{
		ID: rec.Id, Name: rec.GetString("name"), State: tokenState(rec, now), Mode: rec.GetString("mode"), Tools: rec.GetString("tools"),
		Plugins: []string{}, OwnSurfaces: rec.GetBool("own_surfaces"), DailyWrites: rec.GetInt("daily_writes"),
		Created: at(rec, "created"), Expires: at(rec, "expires"), Used: at(rec, "used"), Revoked: at(rec, "revoked"),
	}
	// What cannot be read narrows nothing here: the gate decides what it may.
	_ = rec.UnmarshalJSONField("plugins", &t.Plugins)
	if t.Plugins == nil {
		t.Plugins = []string{}
	}
	if until := at(rec, "tainted"); until.After(now) {
		t.Tainted = until
	}
	return t
}

func tokenState(rec *core.Record, now time.Time) string {
	switch until := rec.GetDateTime("expires"); {
	case !rec.GetDateTime("revoked").IsZero() || rec.GetString("hash") == "":
		return TokenRevoked
	case !until.IsZero() && !now.Before(until.Time()):
		return TokenExpired
	}
	return TokenActive
}

// noAgent refuses the tools of tokens to whoever is no person themselves, also
// where a door would let an agent call what is hidden from it.
func noAgent(r *tools.Reader) error {
	if r.Actor.Agent != "" {
		return tools.Fail(tools.Forbidden, "nodkeep.error.token_agent")
	}
	return nil
}

// ownToken finds one of the person's own tokens.
func ownToken(r *tools.Reader, id string) (*core.Record, error) {
	if err := noAgent(r); err != nil {
		return nil, err
	}
	rec, err := r.Find(Tokens, id)
	if tools.KindOf(err) == tools.NotFound {
		return nil, tools.Fail(tools.NotFound, "nodkeep.error.no_token", tools.Quoted(id, 60))
	}
	return rec, err
}

// goodToken finds one that was not revoked; nor has it expired, unless that is
// what changes.
func goodToken(r *tools.Reader, id string, evenExpired bool) (*core.Record, error) {
	rec, err := ownToken(r, id)
	if err != nil {
		return nil, err
	}
	switch tokenState(rec, r.Now()) {
	case TokenRevoked:
		return nil, conflict("nodkeep.error.token_revoked", rec.GetString("name"))
	case TokenExpired:
		if !evenExpired {
			return nil, conflict("nodkeep.error.token_expired", rec.GetString("name"))
		}
	}
	return rec, nil
}

// mayHaveMore refuses more good tokens than a person can look after.
func mayHaveMore(r *tools.Reader) error {
	recs, err := r.List(Tokens, tools.Query{
		Filter: "revoked = '' && (expires = '' || expires > {:now})", Limit: maxTokens,
		Params: map[string]any{"now": tools.Stamp(r.Now())},
	})
	if err == nil && len(recs) >= maxTokens {
		err = conflict("nodkeep.error.tokens", maxTokens)
	}
	return err
}

// terms are what a token is made or changed with. What is nil stays.
type terms struct {
	name, mode, tools, expires *string
	plugins                    *[]string
	own                        *bool
	writes                     *int
}

// set puts them into a record, or says which is wrong.
func (p Plugin) set(rec *core.Record, t terms, now time.Time) error {
	if t.name != nil {
		name := strings.TrimSpace(*t.name)
		// It stands on cards, where nothing may turn around what is read.
		odd := strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) })
		if n := len([]rune(name)); n == 0 || n > maxTokenName || odd {
			return invalid("nodkeep.error.token_name", maxTokenName)
		}
		rec.Set("name", name)
	}
	if t.mode != nil {
		rec.Set("mode", *t.mode)
	}
	if t.tools != nil {
		rec.Set("tools", *t.tools)
	}
	if t.plugins != nil {
		all := slices.Compact(slices.Sorted(slices.Values(*t.plugins)))
		for _, name := range all {
			if !slices.Contains(p.Plugins, name) {
				return invalid("nodkeep.error.token_plugin", tools.Quoted(name, 60), strings.Join(p.Plugins, ", "))
			}
		}
		rec.Set("plugins", all)
	}
	if t.own != nil {
		rec.Set("own_surfaces", *t.own)
	}
	if t.writes != nil {
		if *t.writes < 1 || *t.writes > maxDailyWrites {
			return invalid("nodkeep.error.token_writes", *t.writes, maxDailyWrites)
		}
		rec.Set("daily_writes", *t.writes)
	}
	if t.expires == nil {
		return nil
	}
	until, err := expiry(*t.expires, now)
	if err == nil {
		rec.Set("expires", until)
	}
	return err
}

// oneMode and oneSet are what a token may be given.
func oneMode() tools.Option { return tools.OneOf("mode", "read", "ask", "write", "trusted") }
func oneSet() tools.Option  { return tools.OneOf("tools", "core", "all") }
