package gateway

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
)

// Mask takes a key out of what others say: hosts, and what stands before them,
// repeat it in errors, whole or in part, in other letters or as they were sent it.
type Mask struct {
	short string              // a key of which no part is told from a word
	rows  map[string]struct{} // each row of bytes of the key, in small letters
}

// Of how many bytes a part of a key is, that is alike by no chance; and of how
// many a key has to be, to be told from a word.
const (
	partOfKey = 8
	leastKey  = 4
)

// NewMask is for one key; it may be empty.
func NewMask(key string) Mask {
	m := Mask{rows: map[string]struct{}{}}
	switch {
	case len(key) < leastKey:
		return m
	case len(key) < partOfKey:
		m.short = small(key)
		return m
	}
	packed := []byte(key)
	ways := []string{key, url.QueryEscape(key), hex.EncodeToString(packed)}
	// In base64 it depends on what stands before, and the ends on what is around.
	for before := range 3 {
		text := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), packed...))
		text = text[min(len(text), before*2):]
		ways = append(ways, text[:len(text)-1], strings.NewReplacer("+", "-", "/", "_").Replace(text[:len(text)-1]))
	}
	for _, way := range ways {
		way = small(way)
		for i := 0; i+partOfKey <= len(way); i++ {
			m.rows[way[i:i+partOfKey]] = struct{}{}
		}
	}
	return m
}

// Hide is a text with something else where the key or a part of it stood.
func (m Mask) Hide(text, instead string) string {
	row, like := partOfKey, small(text)
	if m.short != "" {
		row = len(m.short)
	}
	var out strings.Builder
	shown := 0 // up to where it is written
	for i := 0; i+row <= len(text); i++ {
		if _, is := m.rows[like[i:i+row]]; !is && (m.short == "" || like[i:i+row] != m.short) {
			continue
		}
		if i > shown || shown == 0 { // else it is of the same part as the row before
			out.WriteString(text[shown:i])
			out.WriteString(instead)
		}
		shown = i + row
	}
	out.WriteString(text[shown:])
	return out.String()
}

// small is a text in small letters, byte for byte.
func small(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
