package reader

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// merchant is who was paid: the name as the bank wrote it, and a key that is the
// same however the bank cuts, numbers and decorates the name.
type merchant struct {
	name, key string
	within    bool // paid through a payment service
}

const (
	nameWords = 6 // of a name to show
	keyWords  = 3 // that tell merchants apart; what follows is mostly a place
)

// merchantOf takes the payee where a column names one that is not merely a
// payment service, else what stands in the text.
func merchantOf(r *row) merchant {
	payee, rest := r.text[:r.payee], r.text[r.payee:]
	within := len(payee) < 60 && isUmbrella(fold(payee))
	if payee != "" && !within {
		return named(payee, true)
	}
	var m merchant
	if inner := labelled(rest); inner != "" {
		m = named(inner, true)
	} else if payee != "" {
		m = named(payee, true)
	} else {
		first, _, _ := strings.Cut(rest, " · ")
		m = named(first, false)
	}
	m.within = within
	return m
}

// label is how a bank marks the name in its text, and what ends it.
type label struct {
	start string
	ends  []string
}

func labels() []label {
	german := []string{"Buchungstext:", "Kto/IBAN:", "BLZ/BIC:", "Ref.", "IBAN:", "Verwendungszweck:"}
	dutch := []string{"Omschrijving:", "Description:", "IBAN:", "Kenmerk:", "Reference:", "Mandaat"}
	return []label{
		{"Auftraggeber:", german},
		{"Empfänger:", german},
		{"Naam:", dutch},
		{"/NAME/", []string{"/"}},
		{"DES:INST XFER ID:", []string{" INDN", " CO "}},
		{"Ihr Einkauf bei ", []string{",", " · ", "  ", "EREF", "/"}},
		{"Your purchase at ", []string{",", " · "}},
		{"Su compra en ", []string{",", " · "}},
		{"Votre achat chez ", []string{",", " · "}},
		{"Buchungstext:", []string{"Karte Nr", "Ref.", "End-to-End", " · "}},
	}
}

// labelled finds the name behind a label in a text; "" if there is none.
func labelled(text string) string {
	if !strings.ContainsAny(text, ":/,") && !strings.Contains(text, "Einkauf") {
		return ""
	}
	for _, l := range labels() {
		i := strings.Index(text, l.start)
		if i < 0 {
			continue
		}
		s := text[i+len(l.start):]
		for _, end := range l.ends {
			if j := strings.Index(s, end); j > 0 {
				s = s[:j]
			}
		}
		if s = strings.Trim(s, " .,;-"); s != "" {
			return s
		}
	}
	return ""
}

// named finds the run of words that is the name. Where the text comes from a
// column of its own, no word in front is taken for the bank's.
func named(s string, own bool) merchant {
	s = unwrapStar(s)
	var (
		start, end   = -1, 0
		words, inKey int
		short        [64]byte
		key          = short[:0]
		bankWord     bool
	)
	for w := (word{}); w.next(s); {
		class := w.class()
		if start < 0 {
			lead, sure := isLead(string(w.folded()))
			if class == digitWord || class == noiseWord || !own && lead && (sure || bankWord) {
				bankWord = bankWord || sure
				continue
			}
			start = w.start
			if own && start <= 4 {
				start = 0 // 1&1, 7-Eleven
			}
		} else {
			if class == noiseWord || class == codeWord || isTail(string(w.folded())) || breaks(s[end:w.start], own) ||
				strings.HasPrefix(s[w.end:], "º") || strings.HasPrefix(s[w.start:], "G.CO") {
				break
			}
			if class == digitWord {
				continue
			}
			if words == nameWords {
				break
			}
		}
		end = w.end
		words++
		if inKey < keyWords && !isForm(string(w.folded())) {
			if inKey++; inKey > 1 {
				key = append(key, ' ')
			}
			key = append(key, bytes.TrimRight(w.folded(), "0123456789")...)
		}
	}
	if start < 0 {
		return merchant{name: s, key: fold(s)}
	}
	if end < len(s) && s[end] == '.' && end > 1 && s[end-2] == '.' {
		end++ // e.V., S.L.
	}
	m := merchant{name: s[start:end], key: string(key)}
	if m.key == "" {
		m.key = fold(m.name)
	}
	return m
}

// breaks says that a name ends at what stands between two words.
func breaks(between string, own bool) bool {
	return strings.Contains(between, "  ") || strings.Contains(between, "//") || strings.Contains(between, "·") ||
		!own && strings.Contains(between, ", ")
}

// unwrapStar takes off the payment service: PAYPAL *SPOTIFY is SPOTIFY, but
// AMZN Mktp DE*58NXVP67P, where a code stands behind the star, stays.
func unwrapStar(s string) string {
	i := strings.IndexByte(s, '*')
	if i <= 0 {
		return s
	}
	before := strings.TrimRight(s[:i], " ")
	before = before[strings.LastIndexByte(before, ' ')+1:]
	inner := strings.TrimLeft(s[i:], "* ")
	var w word
	if len(before) > 12 || !isWrapper(fold(before)) || !w.next(inner) || w.class() != plainWord {
		return s
	}
	return inner
}

// tidy makes a name readable: a name in capitals gets them only where words
// begin. Words without a vowel are abbreviations and stay, and so do legal forms.
func tidy(name string) string {
	name = strings.Trim(name, " -,:;/*#&(+·")
	if strings.ContainsFunc(name, unicode.IsLower) {
		return name
	}
	var b strings.Builder
	end := 0
	for w := (word{}); w.next(name); end = w.end {
		b.WriteString(name[end:w.start])
		switch {
		case string(w.folded()) == "gmbh":
			b.WriteString("GmbH")
		case !bytes.ContainsAny(w.folded(), "aeiouy") || isUpperForm(string(w.folded())):
			b.WriteString(w.raw)
		case w.start > 0 && name[w.start-1] == '.' && isForm(string(w.folded())):
			b.WriteString(strings.ToLower(w.raw)) // netflix.com
		default:
			_, first := utf8.DecodeRuneInString(w.raw)
			b.WriteString(w.raw[:first] + strings.ToLower(w.raw[first:]))
		}
	}
	b.WriteString(name[end:])
	return b.String()
}
