package household

import "github.com/nodkeep/nodkeep/tools"

// tellTags marks a run that hands out these tags, folded, of what a query finds.
// A tag that the person uses too is their own word. Only an agent's run looks
// whose they are.
func tellTags(r *tools.Reader, query tools.Query, tags map[string]bool) error {
	v := voicesIn(r)
	if v == nil || len(tags) == 0 {
		return nil
	}
	rows, err := r.Sum(subscriptions, query, []string{"tags", "owner"}, "count")
	if err != nil {
		return err
	}
	own := map[string]bool{}
	for _, row := range rows {
		if row.GetString("owner") == r.Actor.Person {
			for _, tag := range tagsOf(row) {
				own[fold(tag)] = true
			}
		}
	}
	for _, row := range rows {
		for _, tag := range tagsOf(row) {
			if key := fold(tag); tags[key] && !own[key] {
				v.owner(row)
			}
		}
	}
	return v.tell()
}
