package gateway

import (
	"slices"
	"strconv"
)

// apart gives calls that are not sent as they came ids of their own, and their
// results with them: hosts without ids have the same ones in every answer, and
// others refuse a request in which two calls have one.
func apart(all []Message, asItCame func(n int, m Message) bool) []Message {
	seen := map[string]bool{}
	out, copied := all, false
	renamed := map[string]string{}
	for n, m := range all {
		switch m.Role {
		case Assistant:
			renamed = map[string]string{}
			kept := asItCame(n, m)
			for i, c := range m.Calls {
				if !seen[c.ID] || kept {
					seen[c.ID] = true
					continue
				}
				if !copied {
					out, copied = slices.Clone(all), true
				}
				if len(renamed) == 0 {
					out[n].Calls = slices.Clone(m.Calls)
				}
				renamed[c.ID] = c.ID + " " + strconv.Itoa(n)
				out[n].Calls[i].ID = renamed[c.ID]
			}
		case Tools:
			if len(renamed) == 0 {
				continue
			}
			out[n].Results = slices.Clone(m.Results)
			for i, r := range m.Results {
				if id, ok := renamed[r.Call]; ok {
					out[n].Results[i].Call = id
				}
			}
		}
	}
	return out
}
