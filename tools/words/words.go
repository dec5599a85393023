// Package words is the matching code: four words that two screens show, so
// that people see whether both belong to the same thing. An operator holds them
// against what the person who signed up sees; later so are a chat account, a
// new device and an agent's consent.
package words

import (
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	count = 4  // words of a code
	bits  = 11 // of each: the list has 2048
	drawn = uint64(1) << (count * bits)
	// longest is what Parse looks at: four words and room for odd spaces.
	longest = 256
)

//go:embed english.txt
var english string

var list = strings.Fields(english)

// Code is four words of the BIP-39 English list, 44 bits. The zero Code is
// none: it has no words and equals nothing, not even itself.
type Code struct{ n uint64 } // the words' places in the list, below the bit drawn

// ErrCount is what is wrong with a text that is not four words.
var ErrCount = errors.New("a code has four words")

// Unknown is the error of a word that is not in the list: its place in the
// text, from 1. It does not repeat the word, which may be a slip of the right
// one.
type Unknown int

// Error names the place.
func (u Unknown) Error() string { return fmt.Sprintf("word %d is not in the list", int(u)) }

// New draws a code, each as likely as any other.
func New() Code {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program instead
	return Code{binary.BigEndian.Uint64(b[:])&(drawn-1) | drawn}
}

// Parse reads four words in any case with any spaces between. It returns
// ErrCount, or Unknown for the first word that is not in the list.
func Parse(s string) (Code, error) {
	if len(s) > longest {
		return Code{}, ErrCount
	}
	parts := strings.Fields(strings.ToLower(s))
	if len(parts) != count {
		return Code{}, ErrCount
	}
	n := uint64(1) // becomes the bit drawn
	for i, part := range parts {
		at, ok := slices.BinarySearch(list, part)
		if !ok {
			return Code{}, Unknown(i + 1)
		}
		n = n<<bits | uint64(at)
	}
	return Code{n}, nil
}

// Words are the four in order, or nil for the zero Code.
func (c Code) Words() []string {
	if c.n&drawn == 0 {
		return nil
	}
	said := make([]string, count)
	for i := range said {
		said[i] = list[c.n>>((count-1-i)*bits)&(1<<bits-1)]
	}
	return said
}

// String is the words with a space between, as Parse reads them.
func (c Code) String() string { return strings.Join(c.Words(), " ") }

// Equal says whether both are the same code, in a time that tells nothing of
// how much of them is.
func (c Code) Equal(other Code) bool {
	var a, b [8]byte
	binary.BigEndian.PutUint64(a[:], c.n)
	binary.BigEndian.PutUint64(b[:], other.n)
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1 && c.n&drawn != 0
}
