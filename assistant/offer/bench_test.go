package offer_test

import (
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gate"
)

func BenchmarkListed(b *testing.B) {
	h := newHall(b)
	for b.Loop() {
		h.Listed(agent(gate.ModeAsk))
	}
}

func BenchmarkFind(b *testing.B) {
	h := newHall(b)
	for b.Loop() {
		h.Find(agent(gate.ModeAsk), "what do we pay a month for the record of tags", 5)
	}
}
