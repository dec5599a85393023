package tools

import (
	"encoding/binary"
	"regexp"
	"strconv"
	"strings"

	"github.com/pocketbase/pocketbase/core"
)

// names makes the ids of new records and the names of new files from a nonce,
// in order, so that an apply makes the very ones that its preview showed.
type names struct {
	key   [32]byte
	nonce string
	n     uint64
}

const idAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

// next is a word of n letters of alphabet.
func (s *names) next(n int, alphabet string) string {
	s.n++
	var out strings.Builder
	for block := uint64(0); out.Len() < n; block++ {
		sum := mac(s.key[:], "name", s.nonce, strconv.FormatUint(s.n, 10), strconv.FormatUint(block, 10))
		for i := 0; i+4 <= len(sum) && out.Len() < n; i += 4 {
			out.WriteByte(alphabet[binary.BigEndian.Uint32(sum[i:])%uint32(len(alphabet))])
		}
	}
	return out.String()
}

// id is an id as PocketBase makes them.
func (s *names) id() string { return s.next(core.DefaultIdLength, idAlphabet) }

const secretAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + idAlphabet + "-_"

// secret is one of 258 bits.
func (s *names) secret() string { return s.next(43, secretAlphabet) }

// autoPattern is the form of PocketBase's usual patterns: [a-z0-9]{15}.
var autoPattern = regexp.MustCompile(`^\[([a-zA-Z0-9_-]+)\]\{(\d{1,3})\}$`)

// name gives a new record its id, and its generated text fields their values.
// Patterns of another form stay PocketBase's to fill: such a value differs
// between preview and apply, so that the nod fails rather than lies.
func (x *recorder) name(rec *core.Record) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, f := range rec.Collection().Fields {
		text, ok := f.(*core.TextField)
		if !ok || text.AutogeneratePattern == "" || rec.GetString(text.Name) != "" || secretField(rec.Collection(), f) {
			continue
		}
		m := autoPattern.FindStringSubmatch(text.AutogeneratePattern)
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		if value := x.names.next(n, expand(m[1])); text.Name == core.FieldNameId {
			rec.Id = value
		} else {
			rec.SetRaw(text.Name, value)
		}
	}
}

// expand writes out a character class: a-c0-1 is abc01.
func expand(class string) string {
	var out strings.Builder
	for i := 0; i < len(class); i++ {
		if i+2 < len(class) && class[i+1] == '-' && class[i] < class[i+2] {
			for c := class[i]; c <= class[i+2]; c++ {
				out.WriteByte(c)
			}
			i += 2
			continue
		}
		out.WriteByte(class[i])
	}
	return out.String()
}
