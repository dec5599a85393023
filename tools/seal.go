package tools

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Owner is the field of one record that a sealed value belongs to. The value
// opens nowhere else.
type Owner struct{ Collection, Record, Field string }

// sealVersion begins a sealed value, so that another way can follow this one.
const sealVersion = 1

// ErrSealed is a sealed value that does not open. It never says why in more
// detail: the value is a secret, and the difference helps only an attacker.
var ErrSealed = errors.New("the sealed value cannot be opened: it is damaged, belongs to another record, or was sealed with another key")

// Seal encrypts a secret for its owner with AES-256-GCM under a random nonce.
// The result is text: it can be stored in any field.
func (k Keys) Seal(o Owner, secret []byte) (string, error) {
	aead, err := k.aead(o)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(aead.Seal([]byte{sealVersion}, nil, secret, o.bind())), nil
}

// Open gives the secret that was sealed for this owner.
func (k Keys) Open(o Owner, sealed string) ([]byte, error) {
	aead, err := k.aead(o)
	if err != nil {
		return nil, err
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(sealed)
	// The decoder passes over line breaks.
	if err != nil || strings.ContainsAny(sealed, "\r\n") || len(b) < 1+aead.Overhead() || b[0] != sealVersion {
		return nil, ErrSealed
	}
	secret, err := aead.Open(nil, nil, b[1:], o.bind())
	if err != nil {
		return nil, ErrSealed
	}
	return secret, nil
}

func (k Keys) aead(o Owner) (cipher.AEAD, error) {
	if k.Secrets == ([32]byte{}) {
		return nil, errors.New("there is no key for secrets")
	}
	if o.Collection == "" || o.Record == "" || o.Field == "" {
		return nil, errors.New("a secret needs a collection, a record and a field that it belongs to")
	}
	block, err := aes.NewCipher(k.Secrets[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// bind is the owner as bytes that no other owner has.
func (o Owner) bind() []byte {
	return fmt.Appendf(nil, "%d %d:%s%d:%s%d:%s", sealVersion, len(o.Collection), o.Collection, len(o.Record), o.Record, len(o.Field), o.Field)
}
