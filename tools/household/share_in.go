package household

import "github.com/nodkeep/nodkeep/tools"

// ShareIn is what one person is to bear: a member or somebody without an
// account, so many parts or a fixed one.
type ShareIn struct {
	Member string `json:"member,omitzero" jsonschema:"handle or id"`
	Person string `json:"person,omitzero" jsonschema:"name of somebody without an account"`
	Weight int    `json:"weight,omitzero" jsonschema:"1 for everybody divides evenly"`
	Fixed  string `json:"fixed,omitzero" jsonschema:"a decimal in the currency"`
}

// who names the field that says whose share it is.
func (in ShareIn) who() string {
	if in.Member != "" {
		return "member"
	}
	return "person"
}

func (in ShareIn) parse(r *tools.Reader, i int, s schedule) (sh share, err error) {
	switch {
	case (in.Member == "") == (in.Person == ""):
		return sh, invalid("household.error.share_who", element("shares", i, "member"))
	case (in.Weight == 0) == (in.Fixed == ""):
		return sh, invalid("household.error.share_part", element("shares", i, "weight"))
	case in.Weight < 0 || in.Weight > maxWeight:
		return sh, invalid("household.error.share_weight", element("shares", i, "weight"), in.Weight, maxWeight)
	}
	sh.weight = in.Weight
	if in.Fixed != "" {
		if sh.fixed, err = parseAmount(element("shares", i, "fixed"), in.Fixed, s.currency); err != nil {
			return sh, err
		}
		if sh.fixed == 0 { // who bears nothing has no share
			return sh, invalid("household.error.share_part", element("shares", i, "fixed"))
		}
	}
	if in.Member != "" {
		sh.member, err = findMember(r, element("shares", i, "member"), in.Member)
	} else {
		sh.person, err = parseName(element("shares", i, "person"), in.Person, maxPerson)
	}
	return sh, err
}
