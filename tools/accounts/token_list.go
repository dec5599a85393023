package accounts

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TokenPage is one page of tokens.
type TokenPage struct {
	Items []Token `json:"items"`
	Next  string  `json:"next"`
}

type tokenListIn struct {
	pageIn
}

func tokenListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_token_list", Title: "nodkeep.title.token_list", Hidden: hiddenToken,
		Help: "Lists the own tokens, newest first, with what each may and when it was last used; also those that were revoked or have expired in the last 90 days. Secrets are shown only when they are made.",
	}, tokenList)
}

func tokenList(r *tools.Reader, in tokenListIn) (TokenPage, error) {
	if err := noAgent(r); err != nil {
		return TokenPage{}, err
	}
	limit, key, id, err := in.page()
	if err != nil {
		return TokenPage{}, err
	}
	q := tools.Query{Sort: "-created,id", Limit: limit + 1}
	if id != "" {
		q.Filter = "created < {:key} || (created = {:key} && id > {:id})"
		q.Params = map[string]any{"key": key, "id": id}
	}
	recs, err := r.List(Tokens, q)
	if err != nil {
		return TokenPage{}, err
	}
	recs, next := cut(recs, limit, func(rec *core.Record) string { return rec.GetDateTime("created").String() })
	out := TokenPage{Items: []Token{}, Next: next}
	for _, rec := range recs {
		out.Items = append(out.Items, tokenOf(rec, r.Now()))
	}
	return out, nil
}
