package reader

import (
	"bytes"
	"strings"
)

// merchant is who was paid: the name as the bank wrote it, and a key that is the
// same however the bank cuts, numbers and decorates the name. One is used for
// many rows in turn, so that their keys take no memory of their own.
type merchant struct {
	name   string
	key    []byte
	within bool // paid through a payment service
}

const (
	nameWords = 6 // of a name to show
	keyWords  = 3 // that tell merchants apart; what follows is mostly a place
)

// of takes the payee where a column names one that is not merely a payment
// service, else what stands in the text.
func (m *merchant) of(r *row) {
	payee, rest := r.text[:r.payee], r.text[r.payee:]
	m.within = len(payee) < 60 && isUmbrella(payee)
	if payee != "" && !m.within {
		m.named(payee, true)
	} else if inner := labelled(rest); inner != "" {
		m.named(inner, true)
	} else if payee != "" {
		m.named(payee, true)
	} else {
		first, _, _ := strings.Cut(rest, " · ")
		m.named(first, false)
	}
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
func (m *merchant) named(s string, own bool) {
	s = unwrapStar(s)
	var (
		start, end   = -1, 0
		words, inKey int
		bankWord     bool
	)
	m.key = m.key[:0]
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
				m.key = append(m.key, ' ')
			}
			m.key = append(m.key, bytes.TrimRight(w.folded(), "0123456789")...)
		}
	}
	if start < 0 {
		start, end = 0, len(s)
		m.key = m.key[:0]
	}
	if end < len(s) && s[end] == '.' && end > 1 && s[end-2] == '.' {
		end++ // e.V., S.L.
	}
	m.name = s[start:end]
	if len(m.key) == 0 {
		m.key = appendFold(m.key, m.name)
	}
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
