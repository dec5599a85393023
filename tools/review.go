package tools

// Review is what a reader found in a file, for a person to look over before
// anything is written (the shape "import" of the outside interface). Amounts
// are decimal strings in the row's currency.
type Review struct {
	File          string      `json:"file"`
	Format        string      `json:"format"`
	Fingerprint   string      `json:"fingerprint"`
	Parsed        Parsed      `json:"parsed"`
	Subscriptions []Recurring `json:"subscriptions"`
	Skipped       []Skipped   `json:"skipped"`
	Duplicates    []Duplicate `json:"duplicates"`
	Questions     []Question  `json:"questions"`
}

// Parsed sums up the transactions that were read, so that a person can hold
// them against the printed statement.
type Parsed struct {
	Transactions int    `json:"transactions"`
	FirstDate    Date   `json:"first_date"`
	LastDate     Date   `json:"last_date"`
	Currency     string `json:"currency"`
	SumOut       string `json:"sum_out"`
	SumIn        string `json:"sum_in"`
}

// Recurring is one payment that comes again and again.
type Recurring struct {
	Merchant    string     `json:"merchant"`
	Cycle       Cycle      `json:"cycle"`
	Amount      string     `json:"amount" jsonschema:"the last charge, a decimal in the currency"`
	Currency    string     `json:"currency"`
	AnchorDay   int        `json:"anchor_day,omitzero" jsonschema:"day of the month that is meant, 31 for the month's end"`
	FirstDate   Date       `json:"first_date"`
	LastDate    Date       `json:"last_date"`
	NextDate    Date       `json:"next_date"`
	Occurrences int        `json:"occurrences"`
	Active      bool       `json:"active"`
	Confidence  float64    `json:"confidence" jsonschema:"0 to 1; from 0.75 on it is ticked"`
	Prices      []Price    `json:"prices"`
	Status      Status     `json:"status"`
	Known       string     `json:"known" jsonschema:"id of the subscription that this is, unless it is new"`
	Evidence    []Evidence `json:"evidence"`
}

// Price is an amount that holds from a day on.
type Price struct {
	From   Date   `json:"from"`
	Amount string `json:"amount"`
}

// Evidence is a line of the file that led to a Recurring.
type Evidence struct {
	Line   int    `json:"line"`
	Date   Date   `json:"date"`
	Amount string `json:"amount"`
	Text   string `json:"text"`
}

// Status says how a Recurring stands to what is stored.
type Status string

// The states of a Recurring.
const (
	StatusNew          Status = "new"
	StatusKnown        Status = "known"
	StatusPriceChanged Status = "price_changed"
)

// Skipped is a line that is no transaction, and why.
type Skipped struct {
	Line   int  `json:"line"`
	Reason Text `json:"reason"`
}

// Duplicate is a line that says the same as an earlier one.
type Duplicate struct {
	Line int `json:"line"`
	Of   int `json:"of"`
}

// Question is what a file leaves open; its answer is one of the choices.
type Question struct {
	ID      string   `json:"id"`
	Text    Text     `json:"text"`
	Choices []string `json:"choices"`
}
