package household

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// merchantWords is how many words of a name count.
const merchantWords = 3

// merchantKey is a name as it is compared: without case, accents, widths,
// numbers, legal forms and what domains end in.
func merchantKey(name string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(name))
	words := strings.FieldsFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	kept := slices.DeleteFunc(slices.Clone(words), noise)
	if len(kept) == 0 {
		kept = words
	}
	return strings.Join(kept[:min(len(kept), merchantWords)], " ")
}

// noise is a word that says nothing about whom a payment goes to.
func noise(word string) bool {
	switch word {
	case "www", "http", "https", "com", "net", "org", "de", "es", "eu", "uk", "co", "io", "app", "the",
		"gmbh", "ag", "kg", "se", "ev", "inc", "llc", "ltd", "plc", "corp", "bv", "nv", "sa", "sl", "sarl", "spa", "srl", "ab", "oy", "as":
		return true
	}
	return len(word) >= 4 && strings.ContainsFunc(word, unicode.IsDigit)
}

// alikeMerchant says that one key begins with all the words of the other:
// statements cut names.
func alikeMerchant(a, b string) bool {
	return a != "" && b != "" && (begins(a, b) || begins(b, a))
}

func begins(s, words string) bool {
	return strings.HasPrefix(s, words) && (len(s) == len(words) || s[len(words)] == ' ')
}

// keyOf is the merchantKey, or the name itself where that has no words.
func keyOf(name string) string {
	if key := merchantKey(name); key != "" {
		return key
	}
	return fold(name)
}
