package accounts

import (
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// Overview counts what an operator looks after.
type Overview struct {
	Waiting   int       `json:"waiting"`
	Oldest    time.Time `json:"oldest,omitzero"` // since when somebody waits
	Members   int       `json:"members"`
	Suspended int       `json:"suspended"`
	Operators int       `json:"operators"`
	Links     int       `json:"links"`    // one-time links that nobody has used
	Requests  int       `json:"requests"` // what members ask for, that nobody has answered
}

func overviewTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_overview", Title: "nodkeep.title.overview", Operator: true, Hidden: hiddenOperator,
		Help: "Counts the accounts by their standing, those who wait first, the one-time links that are still good, and what members ask for.",
	}, overview)
}

func overview(r *tools.Reader, _ struct{}) (out Overview, err error) {
	for _, of := range []struct {
		n *int
		q tools.AccountQuery
	}{
		{&out.Waiting, waiting()},
		{&out.Members, tools.AccountQuery{Status: []string{tools.Approved}}},
		{&out.Suspended, tools.AccountQuery{Status: []string{Suspended, Refused}}},
		{&out.Operators, operators()},
	} {
		if *of.n, err = r.CountAccounts(of.q); err != nil {
			return out, err
		}
	}
	oldest := waiting()
	oldest.Limit = 1
	first, err := r.Accounts(oldest)
	if err != nil {
		return out, err
	}
	if len(first) > 0 {
		out.Oldest = at(first[0], "created")
	}
	good, err := goodLinks(r)
	if err != nil {
		return out, err
	}
	links, err := r.List(Links, good)
	if err == nil {
		links, err = withoutIdle(r, links)
	}
	if err != nil {
		return out, err
	}
	out.Links = len(links)
	open, err := r.Rows(Requests, tools.Query{In: map[string][]string{"state": {RequestOpen}}})
	out.Requests = len(open)
	return out, err
}
