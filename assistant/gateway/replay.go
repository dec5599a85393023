package gateway

// current is where the question that is being answered begins: the index after
// the last message of a user. What came before is rebuilt from text and calls;
// what came since goes back as its host wrote it.
func current(msgs []Message) int {
	for n := len(msgs); n > 0; n-- {
		if msgs[n-1].Role == User {
			return n
		}
	}
	return 0
}

// wrote says that an answer is from this very host and model, so that it goes
// back as it came.
func (t target) wrote(raw *Raw) bool {
	return raw != nil && len(raw.Items) > 0 && raw.Protocol == t.Protocol && raw.Host == t.Host && raw.Model == t.Model
}
