package accounts

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// The number of items of a page, by default and at most.
const pageSize, maxPage = 50, 200

// pageIn is which page of a list is asked for. A schema describes a field in
// English, and what is wrong with it is said with that: these need none.
type pageIn struct {
	Limit  int    `json:"limit,omitzero"`
	Cursor string `json:"cursor,omitzero"`
}

type listIn struct {
	Handle string `json:"handle,omitzero"` // how it begins
	pageIn
}

type accountListIn struct {
	Status string `json:"status,omitzero"` // approved, waiting or suspended; all unless given
	listIn
}

// Page is one page of accounts.
type Page struct {
	Items []Account `json:"items"`
	Next  string    `json:"next"`
}

func (p Plugin) waitingListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_waiting_list", Title: "nodkeep.title.waiting_list", Operator: true, Hidden: hiddenOperator,
		Help: "Lists the accounts that wait for approval, oldest first, each with the four words that its person sees too.",
	}, func(r *tools.Reader, in listIn) (Page, error) {
		return p.list(r, in, waiting())
	})
}

func (p Plugin) accountListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_account_list", Title: "nodkeep.title.account_list", Operator: true, Hidden: hiddenOperator,
		Help: "Lists all accounts by handle, whatever their standing, or those that are approved, waiting or suspended.",
	}, func(r *tools.Reader, in accountListIn) (Page, error) {
		standing := map[string][]string{"": nil, tools.Approved: {tools.Approved}, Waiting: waiting().Status, Suspended: {Suspended, Refused}}[in.Status]
		return p.list(r, in.listIn, tools.AccountQuery{Status: standing})
	}, tools.OneOf("status", tools.Approved, Waiting, Suspended))
}

func (p Plugin) operatorListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_operator_list", Title: "nodkeep.title.operator_list", Operator: true, Hidden: hiddenOperator,
		Help: "Lists the operators by handle.",
	}, func(r *tools.Reader, in listIn) (Page, error) {
		return p.list(r, in, tools.AccountQuery{Operators: true})
	})
}

func (p Plugin) list(r *tools.Reader, in listIn, q tools.AccountQuery) (Page, error) {
	limit, key, id, err := in.page()
	if err != nil {
		return Page{}, err
	}
	q.Handle, q.Limit, q.AfterKey, q.AfterID = in.Handle, limit+1, key, id
	recs, err := r.Accounts(q)
	if err != nil {
		return Page{}, err
	}
	recs, next := cut(recs, limit, q.Key)
	out := Page{Items: []Account{}, Next: next}
	for _, rec := range recs {
		out.Items = append(out.Items, p.account(r, rec))
	}
	return out, nil
}

// page is how long the page is, and behind what it begins: a key of the order,
// and an id.
func (in pageIn) page() (limit int, key, id string, err error) {
	if limit = in.Limit; limit == 0 {
		limit = pageSize
	}
	if limit < 1 || limit > maxPage {
		return 0, "", "", invalid("nodkeep.error.limit", in.Limit, maxPage)
	}
	if in.Cursor == "" {
		return limit, "", "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(in.Cursor)
	key, id, ok := strings.Cut(string(raw), "\n")
	if err != nil || !ok || id == "" {
		return 0, "", "", invalid("nodkeep.error.cursor")
	}
	return limit, key, id, nil
}

// pageOf is one page of a list that is short enough to be there as a whole: what
// comes after a key.
func pageOf[T any](all []T, limit int, after string, key func(T) string) (page []T, next string) {
	if after != "" {
		all = all[1+slices.IndexFunc(all, func(v T) bool { return key(v) == after }):]
	}
	if len(all) <= limit {
		return all, ""
	}
	return all[:limit], cursor(key(all[limit-1]), "-")
}

// cut takes one page out of records, of which one more than it holds was read.
func cut(recs []*core.Record, limit int, key func(*core.Record) string) ([]*core.Record, string) {
	if len(recs) <= limit {
		return recs, ""
	}
	last := recs[limit-1]
	return recs[:limit], cursor(key(last), last.Id)
}

// cursor is behind what the next page begins.
func cursor(key, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(key + "\n" + id))
}
