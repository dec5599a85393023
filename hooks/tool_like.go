package hooks

import "strings"

// like is the tool whose name is closest to one that is none: one that holds
// it, or has few letters that differ. It is "" where none is close.
func (a *App) like(name string) string {
	if len(name) < 4 || len(name) > 64 {
		return ""
	}
	best, least := "", 1+len(name)/5
	for _, t := range a.registry.Tools() {
		if strings.HasSuffix(t.Name, "_"+name) {
			return t.Name
		}
		if d := distance(name, t.Name); d <= least {
			best, least = t.Name, d-1
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
