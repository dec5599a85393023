package reader

import "strings"

// isLead knows words that banks write in front of a merchant's name, and sure
// says that they do so whatever follows; the others only follow a sure one.
//
//nolint:misspell // words of other languages
func isLead(word string) (lead, sure bool) {
	switch word {
	case "compra", "recibo", "kauf", "checkcard", "purchase", "pos", "zelle", "transferencia", "dauerauftrag", "gutschrift", "lastschrift", "sepa", "twint", "bea", "gea", "kartenzahlung",
		"adeudo", "pago", "bizum", "visa", "mastercard", "maestro", "girocard", "prelevement", "prlv", "paiement", "addebito", "dankort", "kortkob", "kortkop", "autogiro", "betalning",
		"pix", "debitkarte", "debitkartenumsatz", "folgelastschrift", "erstlastschrift", "basislastschrift", "einkauf", "kreditkarte", "incasso", "ideal", "cargo", "debit", "recurring", "ach",
		"uberweisung", "zahlung", "ebanking", "bg", "bs", "kortbetalning", "vir", "virement", "facture", "sct", "sdd", "domiciliacion", "contactless", "belastung", "standing":
		return true, true
	case "a", "de", "to", "en", "el", "the", "vom", "von", "an", "at", "on", "karten", "karte", "nr", "no", "dienstleistung", "online", "shopping", "card", "payment", "favor", "tarjeta", "carte",
		"cb", "par", "direct", "order", "am", "mit", "ec", "apple", "google", "pay", "betaalpas", "transfer", "from", "auftrag", "authorized", "nl", "des", "du", "la", "le", "n", "debito", "credito",
		"europeen", "emis", "recu", "bill", "internacional", "web", "kurzel", "via", "xx", "bei", "nota", "enviado", "qrs", "vv", "automatica", "efetuada", "no2":
		return true, false
	}
	return false, false
}

// isTail knows words behind which no name goes on.
//
//nolint:misspell // words of other languages
func isTail(word string) bool {
	switch word {
	case "tarjeta", "concepto", "karten", "karte", "kartennr", "nr", "recibo", "comision", "mandato", "ref", "referencia", "id", "ppd", "des", "indn", "recurring", "vis", "dd", "bcc",
		"bp", "sagt", "iban", "bic", "no", "n\u00ba", "pas", "term", "transactie", "kundennr", "mandat", "eref", "mref", "cred", "svwz", "rechnung", "rechnungsnr", "kd", "vertragsnr",
		"abonnementsnr", "carte", "ter", "trn", "card", "karta", "kort", "gbr", "usa", "referenzen", "referenz", "mitteilungen", "pmt", "pymt", "helppay":
		return true
	}
	return false
}

// isWrapper knows payment services that stand in front of the real name, cut
// off by a star: PAYPAL *SPOTIFY, SQ *COFFEE, Dm *Deezer.
func isWrapper(word string) bool {
	switch word {
	case "paypal", "pp", "sq", "sumup", "tst", "klarna", "dm", "ifd", "mp", "pag", "pagseguro", "ebn", "ec", "bck", "ccv", "zettle", "izettle", "iz", "zet", "sp", "google", "stripe", "mercadopago",
		"mercpago", "merpago", "wl", "fs", "cko", "dri", "ppl", "adyen", "mollie", "nyx", "payu", "in", "py", "ppro", "twint", "htm", "hotmart", "ppi", "sezzle", "zip", "afterpay":
		return true
	}
	return false
}

// isUmbrella says that a payee is a payment service, so that who is really paid
// stands in the text.
//
//nolint:misspell // words of other languages
func isUmbrella(payee string) bool {
	var w word
	w.next(payee)
	switch string(w.folded()) {
	case "paypal", "klarna", "stripe", "adyen", "mollie", "sumup", "payone", "issuer", "paddle", "twint", "worldline", "nexi", "unzer", "buckaroo", "multisafepay":
		return true
	case "stichting", "amazon", "first":
		return startsAny(fold(payee[w.end:]), "mollie", "adyen", "payments", "data")
	}
	return false
}

// isForm knows legal forms and other words that come and go in one name.
func isForm(word string) bool {
	switch word {
	case "gmbh", "ag", "kg", "ohg", "ug", "se", "ev", "inc", "llc", "ltd", "limited", "plc", "bv", "nv", "sa", "sarl", "sas", "sl", "slu", "srl", "spa", "ab", "as", "aps", "oy", "co", "corp", "com", "www",
		"net", "org", "http", "https", "the", "und", "and", "by", "e", "v", "b", "s", "l", "a", "cie", "sca", "intl", "international", "europe", "emea", "eu", "deutschland", "germany", "usa",
		"de", "nl", "es", "fr", "it", "ch", "at", "uk", "gb", "us", "br", "dk", "ie", "lu", "bill", "help":
		return true
	}
	return false
}

// isUpperForm knows legal forms that are written in capitals.
func isUpperForm(word string) bool {
	switch word {
	case "ag", "se", "ohg", "ug", "sa", "sas", "sl", "slu", "ab", "as", "eg":
		return true
	}
	return false
}

// notSubscribed are phrases of money out that is no payment for something that
// recurs by agreement: bank charges, cash, own transfers, the card's bill.
//
//nolint:misspell // words of other languages
func notSubscribed() *phrases {
	return newPhrases(
		"atm", "geldautomat", "bargeldauszahlung", "cash withdrawal", "bargeld", "cajero", "retirada de efectivo", "retrait", "geldautomaat", "saque", "bancomat", "bankomat", "hevautomat",
		"umbuchung", "ubertrag", "eigenubertrag", "pot transfer", "own account", "own transfer", "transfer to savings", "to savings", "traspaso", "internal transfer", "between accounts",
		"kontofuhrung", "kontofuhrungsgebuhr", "kontofuhrungsentgelt", "entgeltabschluss", "rechnungsabschluss", "abschluss", "sollzinsen", "zinsen", "overdraft fee", "maintenance fee", "monthly service fee",
		"service charge", "interest charge", "interest charged", "late fee", "foreign transaction fee", "non sterling", "comision mantenimiento", "comision de mantenimiento", "liquidacion de intereses",
		"intereses", "frais de tenue", "cotisation carte", "kartenpreis", "tarifa bancaria", "tarifa pacote", "iof", "juros",
		"pagamento fatura", "pagamento de fatura", "credit card payment", "credit crd", "card autopay", "kreditkartenabrechnung", "kreditkartenrechnung", "liquidacion tarjeta", "pago tarjeta de credito", "cardmember serv")
}

// knownService names a service that is only ever sold by the month; the key is
// folded. Names that also sell single things, such as Amazon, are not here.
func knownService(key string) string {
	for _, s := range [...]string{
		"netflix", "spotify", "disney plus", "disneyplus", "youtube premium", "youtubepremium", "deezer", "tidal", "audible", "crunchyroll", "dazn", "hbo max", "paramount",
		"hulu", "openai chatgpt", "chatgpt", "claude ai", "icloud", "google one", "dropbox", "github", "adobe", "canva", "duolingo", "headspace", "playstation plus", "xbox game pass", "now tv", "wow tv", "movistar plus", "filmin",
	} {
		if startsAny(key, s) || len(s) >= 7 && strings.HasPrefix(key, s) {
			return s // also SPOTIFYUSAI
		}
	}
	return ""
}
