package tools

import (
	"errors"
	"fmt"
	"time"
)

// Kind is the sort of an Error; each door maps it to its own status.
type Kind string

// The kinds of errors.
const (
	Invalid        Kind = "invalid"
	Unauthorized   Kind = "unauthorized"
	Forbidden      Kind = "forbidden"
	NotFound       Kind = "not_found"
	Conflict       Kind = "conflict"
	Stale          Kind = "stale"
	DigestRequired Kind = "digest_required"
	Expired        Kind = "expired"
	TooLarge       Kind = "too_large"
	Limit          Kind = "limit"
	Unavailable    Kind = "unavailable"
	Internal       Kind = "internal"
)

// Error is a refusal that a person or a model can act on. Text names a
// sentence of the catalogue; cause, which may be nil, is for the log only.
type Error struct {
	Kind Kind
	Text Text
	// Audit holds the entries that a conflict is about: the receipt of a nod
	// that was already used.
	Audit []string
	// Conflicts says what stands in the way of an undo.
	Conflicts []UndoConflict
	// Place says which of several calls it is of, from 1; 0 if that is not known.
	Place int
	// After is when it may be tried again; 0 if that is not known.
	After   time.Duration
	english string
	cause   error
}

// Fail makes an Error from a key of the catalogue and its arguments.
func Fail(kind Kind, key string, args ...any) *Error {
	return &Error{Kind: kind, Text: T(key, args...)}
}

// In says after how long it may be tried again.
func (e *Error) In(d time.Duration) *Error { e.After = d; return e }

// Because keeps err as the cause, for the log.
func (e *Error) Because(err error) *Error { e.cause = err; return e }

// Error is the English sentence, once a Runner has passed the error on; before
// that the key and its arguments.
func (e *Error) Error() string {
	if e.english != "" {
		return e.english
	}
	if len(e.Text.Args) == 0 {
		return e.Text.Key
	}
	return fmt.Sprint(e.Text.Key, " ", e.Text.Args)
}

// placed says which of several calls an error is of, by its index.
func placed(err error, i int) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Place = i + 1
	}
	return err
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is(err, &Error{Kind: k}) compare by kind.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind && t.Text.Key == ""
}

// KindOf is the kind of err: Internal for an error that is no Error.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// UndoConflict names what keeps a change from being taken back.
type UndoConflict struct {
	Collection string   `json:"collection"`
	ID         string   `json:"id"`
	Fields     []string `json:"fields,omitempty"`
	Labels     []Words  `json:"labels,omitempty"` // what people call the fields, in their order
	Label      Words    `json:"label,omitzero"`   // what people call the record
	By         string   `json:"by,omitempty"`     // the person who changed it since, where it is known
	Audit      string   `json:"audit,omitempty"`  // the entry that it keeps from being taken back, where it is one of several
	Reason     Text     `json:"reason"`
}
