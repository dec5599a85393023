package accounts

// Where prices come from, besides FromEnvironment and FromOperator.
const (
	FromTable = "table"   // that we have with us, looked up by host and model
	Unknown   = "unknown" // only tokens are counted
)

// Priced is what a million tokens of an assistant cost today, as it counts: in
// decimals of the currency, and empty where nobody knows.
type Priced struct {
	From     string `json:"from"` // environment, operator, table or unknown
	Currency string `json:"currency"`
	Rates
	Tiers []PricedTier `json:"tiers"` // for longer prompts, all of each

	// Of the table: where that is from, when somebody looked, and since when it holds.
	Source    string `json:"source,omitzero"`
	Checked   string `json:"checked,omitzero"`
	ValidFrom string `json:"valid_from,omitzero"`
}

// Rates are prices of the kinds of tokens.
type Rates struct {
	Input      string `json:"input"`
	Output     string `json:"output"`
	CacheRead  string `json:"cache_read"`
	CacheWrite string `json:"cache_write"`
}

// PricedTier holds for a prompt of more than Above tokens.
type PricedTier struct {
	Above int64 `json:"above"`
	Rates
}
