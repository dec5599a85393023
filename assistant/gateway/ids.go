package gateway

import (
	"crypto/sha256"
	"encoding/hex"
)

// nine is the id under which a call goes back where it is not replayed as it
// came: nine letters and digits, which every host takes. It follows from the
// host's own, so that call and result agree.
func nine(id string) string {
	if isNine(id) {
		return id
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	sum := sha256.Sum256([]byte(id))
	var out [9]byte
	for n := range out {
		out[n] = alphabet[(int(sum[2*n])<<8|int(sum[2*n+1]))%len(alphabet)]
	}
	return string(out[:])
}

// isNine says that an id is one that every host takes.
func isNine(id string) bool {
	if len(id) != 9 {
		return false
	}
	for _, c := range []byte(id) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// within is a key that is no longer than a host allows, which is 64 or more.
func within(key string, most int) string {
	if len(key) <= most {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}
