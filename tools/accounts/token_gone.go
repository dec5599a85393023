package accounts

import (
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// reasonRevoked is why what a token proposed is discarded, as its person and
// its agent read it.
const reasonRevoked = "the token was revoked"

// tokenHooks hold for every writer, the dashboard included: a token that was
// revoked stays so, takes along what it proposed, and goes with the approval of
// its person, as their sessions do.
func tokenHooks(app core.App) {
	app.OnRecordUpdateExecute(Tokens).Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepTokenOver", Func: func(e *core.RecordEvent) error {
		was, err := e.App.FindRecordById(Tokens, e.Record.Id)
		if err != nil {
			return err
		}
		over := !was.GetDateTime("revoked").IsZero()
		if over {
			// Written from what was read before it was revoked, perhaps.
			e.Record.Set("revoked", was.GetDateTime("revoked"))
		}
		if e.Record.GetDateTime("revoked").IsZero() {
			return e.Next()
		}
		e.Record.Set("hash", "")
		if err := e.Next(); err != nil || over {
			return err
		}
		return discardPending(e, e.Record.Id)
	}})
	app.OnRecordDeleteExecute(Tokens).Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepTokenOver", Func: func(e *core.RecordEvent) error {
		if err := e.Next(); err != nil {
			return err
		}
		return discardPending(e, e.Record.Id)
	}})
	app.OnRecordUpdateExecute(tools.Members).Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepTokensGo", Func: func(e *core.RecordEvent) error {
		if err := e.Next(); err != nil || e.Record.GetString("status") == tools.Approved {
			return err
		}
		return revokeAll(e)
	}})
}

// revokeAll revokes the tokens of an account that is approved no more.
func revokeAll(e *core.RecordEvent) error {
	recs, err := e.App.FindAllRecords(Tokens, dbx.HashExp{"person": e.Record.Id}, dbx.NewExp("hash != ''"))
	if err != nil {
		return err
	}
	for _, rec := range recs {
		rec.Set("revoked", time.Now().UTC())
		if err := e.App.SaveWithContext(e.Context, rec); err != nil {
			return err
		}
	}
	return nil
}

// discardPending discards what a token has proposed and nobody has decided, in
// the same write.
func discardPending(e *core.RecordEvent, token string) error {
	_, err := e.App.NonconcurrentDB().Update(tools.ProposalsTable,
		dbx.Params{"state": "discarded", "form": "", "items": "[]", "reason": reasonRevoked, "decided": tools.Stamp(time.Now())},
		dbx.HashExp{"agent": token, "state": "pending"}).WithContext(e.Context).Execute()
	return err
}
