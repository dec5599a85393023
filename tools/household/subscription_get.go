package household

import "github.com/nodkeep/nodkeep/tools"

// How many charges the details of a subscription show, and how many are
// looked ahead.
const lastCharges, nextCharges = 12, 3

type subscriptionGetIn struct {
	ID string `json:"id"`
}

// Details is a subscription with its last charges and the next.
type Details struct {
	Subscription
	ReplacedBy []Named  `json:"replaced_by,omitempty" jsonschema:"what took its place"`
	Pauses     []Pause  `json:"pauses,omitempty" jsonschema:"all, by date"`
	Charges    []Charge `json:"charges" jsonschema:"the last 12, newest first; household_charge_list has all"`
	Upcoming   []Due    `json:"upcoming" jsonschema:"the next three"`
}

func subscriptionGetTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_subscription_get", Title: "household.title.subscription_get", Core: true,
		Help: "Gives one subscription by id: all fields, price history, the last 12 charges and the next three.",
	}, func(r *tools.Reader, in subscriptionGetIn) (Details, error) {
		h, err := homeOf(r)
		if err != nil {
			return Details{}, err
		}
		rec, s, err := load(r, "id", in.ID)
		if err != nil {
			return Details{}, err
		}
		out := Details{Charges: []Charge{}, Upcoming: []Due{}}
		if out.Subscription, err = showOne(r, h, rec, s); err != nil {
			return Details{}, err
		}
		if out.ReplacedBy, err = replacersOf(r, out.ID); err != nil {
			return Details{}, err
		}
		for _, p := range s.pauses {
			out.Pauses = append(out.Pauses, p.shown())
		}
		lines, err := storedLines(r, tools.Query{
			Filter: "subscription = {:id}", Params: map[string]any{"id": rec.Id}, Sort: "-date", Limit: lastCharges,
		})
		if err != nil {
			return Details{}, err
		}
		if out.Charges, err = shownLines(r, lines); err != nil {
			return Details{}, err
		}
		near, err := chargesNear(r, h.today, tools.Date{}, []string{rec.Id})
		if err != nil {
			return Details{}, err
		}
		for d := range s.open(h.today, near[rec.Id]) {
			if len(out.Upcoming) == nextCharges {
				break
			}
			out.Upcoming = append(out.Upcoming, Due{d, s.money(s.on(d)).Decimal()})
		}
		return out, nil
	})
}
