package reader

import "bytes"

// separators are tried in this sequence; the first of equals wins.
const separators = ";,\t|"

// separatorOf finds what stands between the cells. A line "sep=;" says so; else
// the separator under which a header is found; else the one that cuts the most
// lines into the same number of cells. Commas are never just counted: in half
// of Europe they are the decimal mark.
func separatorOf(data []byte) (comma byte, rest []byte, lines int) {
	if line, after, _ := bytes.Cut(data, []byte{'\n'}); len(line) < 12 {
		line = bytes.Trim(line, "\" \r")
		if len(line) == 5 && equalFold(line[:4], "sep=") {
			return line[4], after, 1
		}
		if equalFold(line, "sep=\t") || equalFold(line, "sep=\\t") {
			return '\t', after, 1
		}
	}
	best, bestKnown, bestScore := byte(','), 0, 0.0
	for _, c := range []byte(separators) {
		l, _, _, found := findHeader(data, c)
		known := 0
		if found {
			known = l.known
		}
		score := regularity(data, c)
		if known > bestKnown || known == bestKnown && score > bestScore {
			best, bestKnown, bestScore = c, known, score
		}
	}
	return best, data, 0
}

// regularity is the most frequent number of cells times the share of lines that
// have it.
func regularity(data []byte, comma byte) float64 {
	var counts [maxColumns + 1]int
	s := newScanner(data, comma, 0)
	total := 0
	for total < maxHead && s.next() {
		if isBlank(s.cells) {
			continue
		}
		counts[len(s.cells)]++
		total++
	}
	modal := 0
	for n, c := range counts {
		if n >= 2 && c >= counts[modal] {
			modal = n
		}
	}
	if total == 0 || modal < 2 {
		return 0
	}
	share := float64(counts[modal]) / float64(total)
	return float64(modal) * share * share
}
