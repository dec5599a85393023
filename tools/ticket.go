package tools

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json/v2"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"
)

// ticket is what a person is given as "digest": a nonce, until when it holds,
// and a MAC over both and the content digest. The content itself is not in it:
// it is found again by running the tools.
type ticket struct {
	nonce   string // 16 bytes
	expires time.Time
	mac     string
}

func newNonce() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return string(b)
}

// sign makes the ticket for a content digest.
func (r *Runner) sign(nonce string, expires time.Time, content string) string {
	t := ticket{nonce: nonce, expires: expires}
	b := append([]byte(nonce), t.unix()...)
	b = append(b, r.ticketMAC(t, content)...)
	return base64.RawURLEncoding.EncodeToString(b)
}

func (r *Runner) ticketMAC(t ticket, content string) []byte {
	return mac(r.c.Keys.Digests[:], "ticket", t.nonce, string(t.unix()), content)[:16]
}

func (t ticket) unix() []byte { return binary.BigEndian.AppendUint64(nil, uint64(t.expires.Unix())) }

// parseTicket reads a digest; whether it is one of ours shows only when the
// content is known.
func parseTicket(s string) (ticket, error) {
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil || len(b) != 40 {
		return ticket{}, Fail(Invalid, "error.digest")
	}
	t := ticket{nonce: string(b[:16]), expires: time.Unix(int64(binary.BigEndian.Uint64(b[16:24])), 0).UTC(), mac: string(b[24:])}
	return t, nil
}

// IsDigest says that s has the form of a digest.
func IsDigest(s string) bool {
	_, err := parseTicket(s)
	return err == nil
}

// matches says whether the ticket was made for this content.
func (r *Runner) matches(t ticket, content string) bool {
	return hmac.Equal(r.ticketMAC(t, content), []byte(t.mac))
}

// content is the digest of what calls do: the tools, the person, the net
// change of every record, the files by what is in them, and what is sent.
// Times that set themselves and the fields a plugin calls volatile are out.
func (r *Runner) content(app core.App, a Actor, calls []call, nets []step, sends []message) (string, error) {
	type record struct {
		Op             Op
		Collection, ID string
		Before, After  string
		Files          map[string]string
	}
	type body struct {
		Person  string
		Tools   []string
		Records []record
		Sends   []message
	}
	b := body{Person: a.Person, Sends: sends}
	for _, c := range calls {
		b.Tools = append(b.Tools, c.Tool)
	}
	for _, s := range nets {
		fields, err := changedFields(app, s, r.reg.volatile[s.Collection])
		if err != nil {
			return "", err
		}
		if len(fields) == 0 {
			continue
		}
		rec := record{Op: s.Op, Collection: s.Collection, ID: s.ID, Files: s.Files}
		if s.Before != nil {
			if rec.Before, err = encode(pick(s.Before, fields)); err != nil {
				return "", err
			}
		}
		if s.After != nil {
			if rec.After, err = encode(pick(s.After, fields)); err != nil {
				return "", err
			}
		}
		b.Records = append(b.Records, rec)
	}
	raw, err := json.Marshal(b, json.Deterministic(true))
	if err != nil {
		return "", err
	}
	return string(mac(r.c.Keys.Digests[:], "content", string(raw))), nil
}
