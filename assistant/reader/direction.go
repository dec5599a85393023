package reader

// directionOf is -1 for a word that says that money went out, +1 for one that
// says it came in, 0 for any other. The word is folded.
func directionOf(word string) int {
	switch word {
	case "af", "debit", "dbit", "d", "soll", "s", "out", "ausgang", "lastschrift", "belastung", "debe", "cargo", "debet", "expense", "withdrawal", "dr", "debito", "uit", "dare", "sortie":
		return -1
	case "bij", "credit", "crdt", "c", "haben", "h", "in", "eingang", "gutschrift", "haber", "abono", "k", "kredit", "kreedit", "income", "deposit", "cr", "credito", "avere", "entree":
		return 1
	}
	return 0
}
