package assistant

import "time"

// Limits bound a turn and how often somebody may ask.
type Limits struct {
	Calls   int           // of the model in a turn; 6
	Changes int           // calls that change something in a turn; 5
	Message int           // bytes of a question; 4000
	Result  int           // bytes of a tool's result that the model is given; 30,000
	Call    time.Duration // of one call of the model; 60 s
	Turn    time.Duration // of a turn; 150 s
	Burst   int           // questions that may come at once; 12
	Every   time.Duration // after which one more may come; 15 s
}

// DefaultLimits are those that hold unless a setting says otherwise.
func DefaultLimits() Limits {
	return Limits{
		Calls: 6, Changes: 5, Message: 4000, Result: 30_000,
		Call: 60 * time.Second, Turn: 150 * time.Second, Burst: 12, Every: 15 * time.Second,
	}
}
