package tools

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Keys are what is derived from the instance's one key: for secrets, for
// digests and for the audit chain.
type Keys struct {
	Secrets, Digests, Chain [32]byte
}

// MinKey is the least length of a key that is given, in characters.
const MinKey = 32

// KeyFile is where the key of a data folder lies when it is not given: beside
// the folder, so that a copy of the folder alone does not carry it.
func KeyFile(dataDir string) string { return filepath.Clean(dataDir) + ".key" }

// HeadFile is where the head of the audit chain lies: beside the data folder,
// so that whoever changes the database has not changed the head.
func HeadFile(dataDir string) string { return filepath.Clean(dataDir) + ".head" }

// LoadKeys derives the keys from given (NODKEEP_ENCRYPTION_KEY) or from the
// key file, which is made on the first start. A folder that has a history but
// no key is refused: a new key could not tell its audit chain from a forgery.
func LoadKeys(dataDir, given string) (Keys, error) {
	if given != "" {
		if len(given) < MinKey {
			return Keys{}, fmt.Errorf("NODKEEP_ENCRYPTION_KEY has %d characters; give at least %d, for example from: openssl rand -hex 32", len(given), MinKey)
		}
		return derive(given)
	}
	path := KeyFile(dataDir)
	b, err := os.ReadFile(path)
	if err == nil {
		key := strings.TrimSpace(string(b))
		if len(key) < MinKey {
			return Keys{}, fmt.Errorf("the key file %s is damaged: it holds %d characters; restore it from a backup", path, len(key))
		}
		return derive(key)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return Keys{}, fmt.Errorf("read the key file: %w", err)
	}
	if _, err := os.Stat(HeadFile(dataDir)); err == nil {
		return Keys{}, fmt.Errorf("the key file %s is missing but the instance has a history: restore it, or set NODKEEP_ENCRYPTION_KEY", path)
	}
	raw := make([]byte, 32)
	rand.Read(raw) // never fails
	key := hex.EncodeToString(raw)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return Keys{}, fmt.Errorf("make the key file: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Keys{}, fmt.Errorf("make the key file: %w", err)
	}
	mode := f.Chmod(0o600) // a umask may have taken the owner's rights
	_, err = f.WriteString(key + "\n")
	if err := errors.Join(mode, err, f.Sync(), f.Close()); err != nil {
		return Keys{}, errors.Join(fmt.Errorf("make the key file: %w", err), os.Remove(path)) // half a key is none
	}
	return derive(key)
}

func derive(key string) (k Keys, err error) {
	for info, to := range map[string]*[32]byte{"secrets": &k.Secrets, "digests": &k.Digests, "chain": &k.Chain} {
		b, err := hkdf.Key(sha256.New, []byte(key), nil, "nodkeep "+info, len(to))
		if err != nil {
			return Keys{}, err
		}
		copy(to[:], b)
	}
	return k, nil
}

// MAC signs what must come back as it was, under the key of digests.
func (k Keys) MAC(parts ...string) []byte { return mac(k.Digests[:], parts...) }

// mac is an HMAC-SHA256 over length-prefixed parts, so that no two lists of
// parts give the same bytes.
func mac(key []byte, parts ...string) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write([]byte(p))
	}
	return h.Sum(nil)
}
