package reader

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTitle is how many characters the name of a subscription may have.
const maxTitle = 120

// title is what a series is called: the merchant of its last charge that has a
// name, else what was charged. It is never empty.
func (st *statement) title(g *group, s *series) string {
	var m merchant
	for i := len(s.charges) - 1; i >= 0; i-- {
		row := &st.rows[s.charges[i].row]
		if m.of(row); !isNamed([]byte(m.name)) {
			continue
		}
		name := m.name
		if strings.HasPrefix(row.text, "=") {
			name = formula(row.text)
		} else if g.known {
			name = unglued(name, g.key)
		} else {
			name = st.shortest(name, s)
		}
		if name = clip(tidy(withoutCity(name))); isNamed([]byte(name)) {
			return name
		}
	}
	currency := g.currency.String()
	return strings.TrimSpace("? " + s.last().amount.decimal(currency) + " " + currency)
}

// formula is what a spreadsheet's formula says, as a text that is none.
func formula(text string) string {
	text, _, _ = strings.Cut(text, " · ")
	return strings.ReplaceAll(strings.TrimLeft(text, "=+-@ "), `"`, "")
}

// shortest is the name without what some rows have glued to it and as many have
// not: a place, mostly.
func (st *statement) shortest(name string, s *series) string {
	var m merchant
	short, with, without := "", 0, 0
	for _, c := range s.charges {
		m.of(&st.rows[c.row])
		switch rest, ok := strings.CutPrefix(name, m.name); {
		case !ok || len(m.name) < minCut:
		case rest == "":
			with++
		case isLetters(m.name[len(m.name)-1:]) && len(rest) >= 3 && isLetters(rest[:3]):
			short, without = m.name, without+1
		}
	}
	if without >= with && short != "" {
		return short
	}
	return name
}

func isLetters(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}

// unglued takes a known service for the name where more was glued to it, such as
// the place of SPOTIFYUSAI.
func unglued(name, service string) string {
	if n := len(service); len(name) > n && strings.EqualFold(name[:n], service) && unicode.IsUpper(rune(name[n])) && name == strings.ToUpper(name) {
		return name[:n]
	}
	return name
}

// withoutCity cuts off a city that a bank wrote right behind a name of the full
// width of its column: OPENAI *CHATGPT SUBSSAN FRANCISCO.
func withoutCity(name string) string {
	if name != strings.ToUpper(name) {
		return name
	}
	for _, city := range [...]string{
		"SAN FRANCISCO", "LOS GATOS", "NEW YORK", "SAN JOSE", "MOUNTAIN VIEW", "PALO ALTO", "LOS ANGELES", "MENLO PARK", "SAN MATEO", "REDWOOD CITY", "SAN BRUNO", "SANTA CLARA",
		"AMSTERDAM", "STOCKHOLM", "LUXEMBOURG", "DUBLIN", "CUPERTINO", "SEATTLE",
	} {
		if before, ok := strings.CutSuffix(name, city); ok && len(before) > 3 && before[len(before)-1] > ' ' {
			return before
		}
	}
	return name
}

// clip cuts a name at its longest, between words where there are any.
func clip(name string) string {
	if utf8.RuneCountInString(name) <= maxTitle {
		return name
	}
	end, n := 0, 0
	for i := range name {
		if n++; n > maxTitle {
			end = i
			break
		}
	}
	if space := strings.LastIndexByte(name[:end+1], ' '); space > end/2 {
		end = space
	}
	// What belongs to the character before is not kept apart from it.
	for end > 0 {
		next, _ := utf8.DecodeRuneInString(name[end:])
		last, size := utf8.DecodeLastRuneInString(name[:end])
		if last != joiner && next != joiner && !unicode.Is(unicode.M, next) {
			break
		}
		end -= size
	}
	return strings.TrimRight(name[:end], " -,:;/*#&(+·")
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
