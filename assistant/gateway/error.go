package gateway

import (
	"fmt"
	"time"
)

// ErrorKind is the sort of an Error.
type ErrorKind string

// The sorts of errors.
const (
	Billing       ErrorKind = "billing"        // no credit, quota used up
	Auth          ErrorKind = "auth"           // the key is missing, wrong, or may not do this
	ContextLength ErrorKind = "context_length" // more than the model can read
	RateLimit     ErrorKind = "rate_limit"
	Overloaded    ErrorKind = "overloaded"
	Server        ErrorKind = "server" // the host failed, or what answers is no such host
	Unsupported   ErrorKind = "unsupported_parameter"
	BadRequest    ErrorKind = "invalid_request"
	NoModel       ErrorKind = "model_not_found"
	Truncated     ErrorKind = "truncated"   // the answer broke off
	Empty         ErrorKind = "empty"       // neither text nor call came
	Unreachable   ErrorKind = "unreachable" // no connection, or no answer in time
)

// Error is why a host did not answer. Message is in the host's words: for the
// log, not for people.
type Error struct {
	Kind         ErrorKind
	Message      string
	Status       int    // of HTTP; 0 if the stream itself said so
	Code         string // the host's own
	Param        string // the field that it did not like
	RequestID    string
	RetryAfter   time.Duration // 0: it did not say
	Retryable    bool          // worth asking again later
	AfterContent bool          // something was shown already
	Repair       *Repair
	cause        error
}

// Repair is the one change with which a request is worth sending again: fields to
// leave out, those that take their place, in the same order, and those that are
// to have a value.
type Repair struct {
	Remove, Add []string
	Set         map[string]string
}

// Error names the kind, the status and the host's words.
func (e *Error) Error() string {
	if e.Status > 0 {
		return fmt.Sprintf("%s (HTTP %d): %s", e.Kind, e.Status, e.Message)
	}
	return fmt.Sprintf("%s: %s", e.Kind, e.Message)
}

// Unwrap gives the cause, such as a failed connection.
func (e *Error) Unwrap() error { return e.cause }
