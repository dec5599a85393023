package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// tell marks a run that hands out the names of these groups.
func (s *spender) tell(r *tools.Reader, all book, groups []*spent) error {
	v := voicesIn(r)
	if v == nil {
		return nil
	}
	names := map[string]bool{} // of those that stand for no record
	for _, g := range groups {
		if g.id == "" && !g.none && len(g.name.Args) == 1 {
			name, _ := g.name.Args[0].(string)
			names[fold(name)] = true
		}
	}
	switch s.by {
	case groupSubscription:
		v.names(all, idsOf(groups, func(g *spent) string { return g.id }))
	case groupTag:
		return tellTags(r, tools.Query{}, names)
	case groupMember:
		for _, e := range all {
			if slices.ContainsFunc(s.shares[e.id()], func(sh share) bool { return sh.member == "" && names[fold(sh.person)] }) {
				v.owner(e)
			}
		}
	}
	return v.tell()
}
