package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// entryKind is what an audit entry is about.
type entryKind string

const (
	kindCall     entryKind = "call"     // a tool
	kindUndo     entryKind = "undo"     // changes taken back
	kindWrite    entryKind = "write"    // a writer that is not ours
	kindQuestion entryKind = "question" // an assistant was asked
	kindErasure  entryKind = "erasure"  // payloads emptied: an account went, retention passed
	kindHead     entryKind = "head"     // the operator accepted the chain as it stands
)

const (
	stateApplied   = "applied"
	stateRefused   = "refused"
	stateDiscarded = "discarded" // a person did not want it
	stateFailed    = "failed"    // not for the caller to mend: it took too long, or broke inside
)

// maxAuditArgs is how many bytes of arguments an entry keeps; of more it keeps
// the hash.
const maxAuditArgs = 16 << 10

// entry is one audit entry. ID, Seq, Salt, Commitment and MAC are filled in
// when it is appended.
type entry struct {
	Seq                   int64
	ID                    string
	At                    time.Time
	Kind                  entryKind
	State                 string
	Actor                 Actor
	Tool                  string
	Effect                Effect
	Args                  string
	Digest, Proposal      string
	Reason                string
	Undoes                []string
	Salt, Commitment, MAC string
}

// kept is what the entry of a call that was applied keeps of its arguments.
func (c *call) kept(tx core.App) string {
	if c.tool == nil {
		return KeptArgs(c.Args)
	}
	return KeptArgs(c.tool.conceal(c.Args, isAccount(tx)))
}

// KeptArgs is what an entry keeps of the arguments.
func KeptArgs(args jsontext.Value) string {
	if len(args) <= maxAuditArgs {
		return strings.ToValidUTF8(string(args), "\uFFFD")
	}
	sum := sha256.Sum256(args)
	b, _ := json.Marshal(map[string]any{"sha256": hex.EncodeToString(sum[:]), "bytes": len(args)}, json.Deterministic(true))
	return string(b)
}

// row is the entry as the database holds it.
func (e *entry) row() dbx.Params {
	return dbx.Params{
		"seq": e.Seq, "id": e.ID, "at": Stamp(e.At), "kind": string(e.Kind), "state": e.State,
		"person": e.Actor.Person, "door": string(e.Actor.Door), "agent": e.Actor.Agent, "agent_name": e.Actor.AgentName,
		"model": e.Actor.Model, "token": e.Actor.Token, "tool": e.Tool, "effect": string(e.Effect), "args": e.Args,
		"digest": e.Digest, "proposal": e.Proposal, "reason": e.Reason, "undoes": jsonStrings(e.Undoes),
		"salt": e.Salt, "commitment": e.Commitment, "mac": e.MAC,
	}
}

// payloadColumns are covered by the commitment and emptied by an erasure.
var payloadColumns = []string{"person", "door", "agent", "agent_name", "model", "token", "tool", "effect", "state", "args", "digest", "proposal", "reason", "undoes"}

// auditRow is an entry read back.
type auditRow struct {
	Seq        int64  `db:"seq"`
	ID         string `db:"id"`
	At         string `db:"at"`
	Kind       string `db:"kind"`
	State      string `db:"state"`
	Person     string `db:"person"`
	Door       string `db:"door"`
	Agent      string `db:"agent"`
	AgentName  string `db:"agent_name"`
	Model      string `db:"model"`
	Token      string `db:"token"`
	Tool       string `db:"tool"`
	Effect     string `db:"effect"`
	Args       string `db:"args"`
	Digest     string `db:"digest"`
	Proposal   string `db:"proposal"`
	Reason     string `db:"reason"`
	Undoes     string `db:"undoes"`
	Salt       string `db:"salt"`
	Commitment string `db:"commitment"`
	MAC        string `db:"mac"`
}

// payload is the entry's part of the commitment, in the order of
// payloadColumns.
func (w *auditRow) payload() []string {
	return []string{w.Person, w.Door, w.Agent, w.AgentName, w.Model, w.Token, w.Tool, w.Effect, w.State, w.Args, w.Digest, w.Proposal, w.Reason, w.Undoes}
}

func (e *entry) payload() []string {
	a := e.Actor
	return []string{a.Person, string(a.Door), a.Agent, a.AgentName, a.Model, a.Token, e.Tool, string(e.Effect), e.State, e.Args, e.Digest, e.Proposal, e.Reason, jsonStrings(e.Undoes)}
}

// stepRow is a step as the database holds it: an update has only the fields
// that changed.
type stepRow struct {
	Entry      string `db:"entry"`
	N          int    `db:"n"`
	Op         string `db:"op"`
	Collection string `db:"collection"`
	Record     string `db:"record"`
	Before     string `db:"before"`
	After      string `db:"after"`
	Files      string `db:"files"`
}

func (w *stepRow) parts() []string {
	return []string{fmt.Sprint(w.N), w.Op, w.Collection, w.Record, w.Before, w.After, w.Files}
}

// stepRows makes the rows of the steps. Steps that changed nothing but times
// are left out.
func stepRows(app core.App, id string, steps []step) ([]stepRow, error) {
	rows := make([]stepRow, 0, len(steps))
	for _, s := range steps {
		before, after := s.Before, s.After
		if s.Op == OpUpdate {
			fields, err := changedFields(app, s, nil)
			if err != nil {
				return nil, err
			}
			if len(fields) == 0 {
				continue
			}
			before, after = pick(before, fields), pick(after, fields)
		}
		row := stepRow{Entry: id, N: len(rows), Op: string(s.Op), Collection: s.Collection, Record: s.ID}
		var err error
		if before != nil {
			if row.Before, err = encode(before); err != nil {
				return nil, err
			}
		}
		if after != nil {
			if row.After, err = encode(after); err != nil {
				return nil, err
			}
		}
		if len(s.Files) > 0 {
			b, err := json.Marshal(s.Files, json.Deterministic(true))
			if err != nil {
				return nil, err
			}
			row.Files = string(b)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// step is a row read back.
func (w *stepRow) step() (step, error) {
	before, err := decodeValues(w.Before)
	if err != nil {
		return step{}, err
	}
	after, err := decodeValues(w.After)
	return step{Op: Op(w.Op), Collection: w.Collection, ID: w.Record, Before: before, After: after}, err
}

func jsonStrings(l []string) string {
	if len(l) == 0 {
		return ""
	}
	b, _ := json.Marshal(l)
	return string(b)
}

func hexOf(s string) string { return hex.EncodeToString([]byte(s)) }
