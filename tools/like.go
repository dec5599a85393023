package tools

import (
	"slices"
	"strings"
)

// Like is the name among some that is closest to one that is none of them: one
// that holds it, or has few letters that differ. It is "" where none is close.
func Like(name string, names []string) string {
	if len(name) < 4 || len(name) > 64 {
		return ""
	}
	best, least := "", 1+len(name)/5
	for _, n := range slices.Sorted(slices.Values(names)) {
		if strings.HasSuffix(n, "_"+name) {
			return n
		}
		if d := distance(name, n); d <= least {
			best, least = n, d-1
		}
	}
	return best
}

// distance is how many letters to add, leave out or change make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
