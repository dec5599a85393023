package tools

import "time"

// Op is what happened to a record.
type Op string

// The operations.
const (
	OpCreate Op = "create"
	OpUpdate Op = "update"
	OpDelete Op = "delete"
)

// Change is the net change of one record. Before and After hold what the
// database holds; an update has only the fields that differ, and Now has the
// whole record as it stands after the change (before it, for a delete). The
// rest is for people: hidden fields are only counted there.
type Change struct {
	Op         Op             `json:"op"`
	Collection string         `json:"collection"`
	ID         string         `json:"id"`
	Label      Words          `json:"label"`
	Fields     []Field        `json:"fields"`
	Hidden     int            `json:"hidden"`
	Before     map[string]any `json:"-"`
	After      map[string]any `json:"-"`
	Now        map[string]any `json:"-"`
}

// Field is one field of a Change, for people and, raw, for programs.
type Field struct {
	Name      string `json:"name"`
	Label     Words  `json:"label"`
	Before    Words  `json:"before"`
	After     Words  `json:"after"`
	RawBefore any    `json:"raw_before"`
	RawAfter  any    `json:"raw_after"`
}

// Item is one tool call of a Preview. Unseen counts changes to records that
// the person may not see.
type Item struct {
	Invocation
	Effect  Effect   `json:"effect"`
	Output  any      `json:"output"`
	Changes []Change `json:"changes"`
	Unseen  int      `json:"unseen"`
	Sends   []string `json:"sends"`
	Money   bool     `json:"money"`
	Card    Card     `json:"card"`
}

// Preview is what tool calls would do, and the digest that a nod is bound to.
type Preview struct {
	Items   []Item    `json:"items"`
	Digest  string    `json:"digest"`
	Expires time.Time `json:"expires"`
}

// Receipt is what was done.
type Receipt struct {
	Audit     []string  `json:"audit"`
	Outputs   []any     `json:"-"`
	Changes   []Change  `json:"changes"`
	Unseen    int       `json:"unseen"`
	Cards     []Card    `json:"cards"`
	UndoUntil time.Time `json:"undo_until,omitzero"` // absent where undo takes nothing back: an account changed, or nothing did
}

// UndoSpec names what to take back: entries, or all of an agent since a time.
type UndoSpec struct {
	Audit  []string  `json:"audit,omitempty"`
	Agent  string    `json:"agent,omitzero"`
	Since  time.Time `json:"since,omitzero"`
	Except []string  `json:"except,omitempty"`
}
