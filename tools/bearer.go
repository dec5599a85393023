package tools

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// TokensTable holds the tokens by which agents speak for members: records of
// the core, made and changed by its tools.
const TokensTable = "nodkeep_tokens"

// TokenPrefix begins the secret of an agent's token, so that it is told from
// what PocketBase hands out, also by who searches a leak for secrets.
const TokenPrefix = "nk_"

// IsToken says that a bearer secret is one of an agent, whether or not it is
// worth anything.
func IsToken(secret string) bool { return strings.HasPrefix(secret, TokenPrefix) }

// NewSecret is one of 256 bits, to be handed out once.
func NewSecret() string {
	b := make([]byte, 32)
	rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Hash is what is kept of a secret. It needs no salt: nobody can guess one.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
