package roster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// Say is what a person reads of an error of an assistant: one sentence, and
// what to do. What the host itself said is in the log.
func Say(a Assistant, err error) tools.Text { return Problem(a, err).Text }

// Problem is such an error as doors answer it.
func Problem(a Assistant, err error) *tools.Error {
	if own, ok := errors.AsType[*tools.Error](err); ok {
		return own
	}
	e, ok := errors.AsType[*gateway.Error](err)
	switch {
	case ok:
	case errors.Is(err, context.DeadlineExceeded):
		return tools.Fail(tools.Unavailable, "roster.say.slow", a.Name, a.Host).Because(err)
	case errors.Is(err, context.Canceled):
		return tools.Fail(tools.Unavailable, "roster.say.stopped", a.Name).Because(err)
	default:
		return tools.Fail(tools.Internal, "error.internal").Because(err)
	}
	kind, key := tools.Unavailable, ""
	switch e.Kind {
	case gateway.Billing:
		key = "roster.say.billing"
	case gateway.Auth:
		key = "roster.say.auth"
		if a.Key == "" {
			key = "roster.say.no_key"
		}
	case gateway.ContextLength:
		kind, key = tools.TooLarge, "roster.say.context"
	case gateway.RateLimit:
		if e.RetryAfter > 0 {
			return tools.Fail(tools.Limit, "roster.say.rate_until", a.Host, seconds(e.RetryAfter)).In(e.RetryAfter).Because(err)
		}
		return tools.Fail(tools.Limit, "roster.say.rate", a.Host).Because(err)
	case gateway.Overloaded:
		key = "roster.say.busy"
	case gateway.Unsupported:
		key = "roster.say.unsupported"
	case gateway.BadRequest:
		key = "roster.say.refused"
		if e.Status == 404 || e.Status == 405 || (e.Status >= 300 && e.Status < 400) {
			key = "roster.say.address"
		}
	case gateway.NoModel:
		return tools.Fail(kind, "roster.say.model", a.Host, tools.Quoted(a.Model, 100)).Because(err)
	case gateway.Truncated:
		key = "roster.say.cut"
	case gateway.Empty:
		key = "roster.say.empty"
	case gateway.Unreachable:
		key = unreached(e)
	default:
		key = "roster.say.server"
	}
	return tools.Fail(kind, key, a.Name, a.Host).Because(err)
}

// seconds of a wait, rounded up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// unreached is the key of why there was no connection.
func unreached(e *gateway.Error) string {
	var (
		noHost    *net.DNSError
		noTLS     tls.RecordHeaderError
		badCert   *tls.CertificateVerificationError
		unknownCA x509.UnknownAuthorityError
		otherName x509.HostnameError
		network   net.Error
	)
	switch {
	case errors.As(e, &noHost):
		return "roster.say.no_host"
	case errors.As(e, &noTLS), strings.Contains(e.Message, "server gave HTTP response to HTTPS client"):
		return "roster.say.no_tls"
	case errors.As(e, &badCert), errors.As(e, &unknownCA), errors.As(e, &otherName):
		return "roster.say.certificate"
	case errors.Is(e, syscall.ECONNREFUSED):
		return "roster.say.closed"
	case errors.Is(e, io.EOF), errors.Is(e, io.ErrUnexpectedEOF), errors.Is(e, syscall.ECONNRESET):
		return "roster.say.hung_up"
	case errors.Is(e, context.DeadlineExceeded), errors.Is(e, os.ErrDeadlineExceeded), errors.As(e, &network) && network.Timeout(), strings.Contains(e.Message, "did not answer in time"):
		return "roster.say.slow"
	}
	return "roster.say.unreachable"
}

// lacking names what is missing.
func (a Assistant) lacking() string { return strings.Join(a.Lacks, ", ") }
