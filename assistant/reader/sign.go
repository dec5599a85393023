package reader

import (
	"context"

	"github.com/nodkeep/nodkeep/tools"
)

// decideSign turns the amounts of a card's file, which writes charges without a
// minus. Such a file is known by its few negative rows being payments of the
// bill; one that is mostly positive without that is asked about.
func (s *statement) decideSign(ctx context.Context, l *layout, c conventions, answers map[string]string) error {
	if !l.has(roleAmount) || len(s.rows) == 0 {
		return nil
	}
	positive, negative := 0, 0
	for i := range s.rows {
		switch r := &s.rows[i]; {
		case r.amount > 0:
			positive++
		case r.amount < 0:
			negative++
		}
	}
	turned := !c.flagged && positive > negative && s.cardPayments(ctx)*2 > negative
	switch answers[askSign] {
	case outPositive:
		if c.flagged {
			return tools.Fail(tools.Invalid, "reader.answer.against", askSign, outPositive, outNegative)
		}
		turned = true
	case outNegative:
		turned = false
	default:
		if !turned && !c.flagged && (negative == 0 || positive > 3*negative && positive+negative >= 10) {
			s.questions = append(s.questions, question(askSign, []string{outNegative, outPositive}, positive, negative))
		}
	}
	if turned {
		for i := range s.rows {
			r := &s.rows[i]
			if r.amount = -r.amount; r.rare != nil {
				r.rare.original = -r.rare.original
			}
		}
	}
	return nil
}

// cardPayments counts the negative rows that are payments of a card's bill.
func (s *statement) cardPayments(ctx context.Context) (n int) {
	words := newPhrases("thank you", "payment received", "pagamento recebido", "pagamento efetuado", "autopay", "online payment", "zahlung erhalten", "zahlung dankend", "ihre zahlung",
		"lastschrift zum kartenkonto", "payment thank", "pago recibido", "su pago", "paiement recu", "direct debit payment", "bill payment", "mobile payment", "einzahlung", "betaling ontvangen",
		"pago tarjeta", "automatic payment", "kreditkartenabrechnung", "uberweisung erhalten")
	var folded []byte
	for i := range s.rows {
		if i&1023 == 0 && ctx.Err() != nil {
			return 0 // who called sees it too
		}
		if s.rows[i].amount >= 0 {
			continue
		}
		if folded = appendFold(folded[:0], s.rows[i].text); words.in(folded) {
			n++
		}
	}
	return n
}
