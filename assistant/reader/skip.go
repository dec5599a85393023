package reader

import "bytes"

// statusReason says why a row with this status did not happen; "" for one that
// did. Status is folded.
func statusReason(status string) string {
	switch {
	case status == "":
		return ""
	case hasAny(status, "pending", "vorgemerkt", "vorgemerkte", "reserveret", "reserved", "reservering", "pendiente", "pendente", "futuro", "futura", "offen", "en attente",
		"authorization", "authorized", "authorised", "autorizado", "in bearbeitung", "ausstehend", "processing", "preauth", "memo", "on hold", "held", "in sospeso", "varaus", "reservation"):
		return "pending"
	case hasAny(status, "reverted", "declined", "failed", "cancelled", "canceled", "denied", "expired", "storniert", "abgelehnt", "rechazado", "rechazada", "voided",
		"refused", "rejected", "fehlgeschlagen", "abgebrochen", "recusado", "geweigerd", "annule", "refuse"):
		return "declined"
	}
	return ""
}

// balances are how lines begin that state a balance or a sum.
func balances() *phrases {
	return newPhrases("beginning balance", "opening balance", "closing balance", "ending balance", "starting balance", "available balance", "current balance",
		"balance brought forward", "balance carried forward", "balance forward", "previous balance", "saldo anterior", "saldo total", "saldo do dia", "saldo inicial", "saldo final", "saldo disponivel",
		"saldo en cuenta", "saldo em conta", "saldo parcial", "saldo per", "saldo vom", "saldo am", "saldo al", "saldo contabile", "saldo iniziale", "saldo finale", "anfangssaldo", "endsaldo",
		"alter kontostand", "neuer kontostand", "kontostand", "anfangsbestand", "endbestand", "schlusssaldo", "saldovortrag", "saldo vortrag", "ubertrag", "total spalte", "total credits", "total debits", "total general",
		"ancien solde", "nouveau solde", "solde initial", "solde final", "beginsaldo", "eindsaldo", "total de", "gesamtsumme", "utgaende saldo", "ingaende saldo")
}

// isBalance says that a text states a balance or a sum.
func (r *rowReader) isBalance(text []byte) bool {
	if len(text) == 0 || bytes.IndexByte([]byte("abceikopstuABCEIKOPSTU\xc3"), text[0]) < 0 {
		return false // most rows
	}
	r.folded = appendFold(r.folded[:0], text[:min(len(text), 40)])
	switch string(r.folded) {
	case "saldo", "total", "summe", "totals", "balance", "solde", "summa", "totale", "subtotal", "saldos", "sum", "totaal":
		return true
	}
	first, _, _ := bytes.Cut(r.folded, []byte{' '})
	return r.balances.start(first, r.folded)
}
