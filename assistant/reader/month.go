package reader

// monthOf knows the months by their first letters, in the languages of the
// banks that write them as words; 0 for any other word.
func monthOf(word []byte) int {
	if len(word) < 3 || len(word) > 12 {
		return 0
	}
	s := fold(string(word))
	if len(s) < 3 {
		return 0
	}
	switch s[:3] {
	case "jan", "ene", "gen":
		return 1
	case "feb", "fev":
		return 2
	case "mar", "mrz", "maa", "mrt":
		return 3
	case "apr", "abr", "avr":
		return 4
	case "may", "mai", "mei", "mag", "maj":
		return 5
	case "jun", "giu":
		return 6
	case "jul", "lug":
		return 7
	case "aug", "ago", "aou":
		return 8
	case "sep", "set":
		return 9
	case "oct", "okt", "out", "ott":
		return 10
	case "nov":
		return 11
	case "dec", "dez", "dic", "des":
		return 12
	case "jui":
		if len(s) > 3 && s[3] == 'l' {
			return 7
		}
		return 6
	}
	return 0
}
