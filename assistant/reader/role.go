package reader

import (
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// role is what a column is for.
type role int

const (
	roleNone             role = iota
	roleDate                  // when it happened or was booked
	roleBooked                // a second such date; empty while a row is pending
	roleValue                 // value date: last resort
	roleAmount                // signed, or unsigned beside a direction
	roleDebit                 // money out
	roleCredit                // money in
	roleDirection             // Af/Bij, Debit/Credit, Soll/Haben
	roleCurrency              // of the amount
	rolePayee                 // the other side; of money out, where there is a payer too
	rolePayer                 // the other side of money in
	roleParty                 // the other side, often only its account number
	roleText                  // what the bank or the payee wrote
	roleType                  // kind of booking, in the bank's words
	roleDetails               // DEBIT or CREDIT beside a description, else the description
	roleStatus                // booked, pending, declined
	roleBalance               // after the row
	roleID                    // the bank's own id of the row
	roleReference             // the id of the row that this one belongs to
	roleOriginal              // amount before conversion
	roleOriginalCurrency      // its currency
	roleFee                   // charged on top
	roleMandate               // SEPA mandate
	roleAccount               // the account that the row belongs to
	rolePart                  // amount of one part of a collective order
	roleTime                  // time of day
	roleCount
)

// roleOf knows the names of columns, folded and without their currency. The
// names are of the banks in the table of formats; what is left is judged by
// the word that most names hold.
//
//nolint:misspell // words of other languages
func roleOf(name string) role {
	switch name {
	case "date", "datum", "data", "dato", "fecha", "booking date", "buchungstag", "buchungsdatum", "buchung", "transaction date",
		"posting date", "post date", "posted date", "started date", "fecha operacion", "fecha de operacion", "f operacion", "fecha de la operacion",
		"data operazione", "data contabile", "data lancamento", "data do lancamento", "data mov", "bogforingsdato", "bokforingsdato", "bokforingsdatum",
		"bokforingsdag", "transaktionsdatum", "date operation", "date de l operation", "date d operation", "dateop", "date op", "abschlussdatum", "booked at",
		"belegdatum", "umsatzdatum", "umsatztag", "trans date", "transactiondate", "transaktionsdato", "fecha movimiento", "fecha contable",
		"date comptable", "kirjauspaiva", "data operacji", "datum provedeni", "datum zauctovani", "boekdatum", "kuupaev", "boekingsdatum", "created on":
		return roleDate
	case "completed date", "finished on", "settlement date", "cleared date":
		return roleBooked
	case "value date", "valuta", "valutadatum", "valuta date", "wertstellung", "wertstellungsdatum", "wertstellung valuta", "valutatag", "fecha valor", "f valor",
		"data valuta", "data valor", "rentedatum", "date de valeur", "date valeur", "rentedato", "value":
		return roleValue
	case "amount", "betrag", "importe", "umsatz", "montant", "importo", "valor", "bedrag", "belopp", "belob", "belop", "gross", "brutto", "bruto", "kwota", "suma",
		"buchungsbetrag", "credit debit amount", "castka", "summa", "maara", "transaction amount", "cantidad", "monto", "amt":
		return roleAmount
	case "debit", "debit amount", "paid out", "money out", "withdrawal", "withdrawals", "withdrawal amount", "soll", "belastung", "belastungen", "lastschrift", "lastschriften",
		"cargo", "cargos", "debito", "adeudo", "debet", "salidas", "gastos", "uscite", "dare", "ausgaben", "ausgang", "sorties", "debits", "out", "addebiti", "saidas", "ut", "uttak", "gasto", "addebito":
		return roleDebit
	case "credit", "credit amount", "paid in", "money in", "deposit", "deposits", "deposit amount", "haben", "gutschrift", "gutschriften", "abono", "abonos",
		"credito", "entrees", "entradas", "ingresos", "entrate", "avere", "eingang", "einnahmen", "credits", "in", "accrediti", "insattningar", "inn", "ingreso", "accredito":
		return roleCredit
	case "af bij", "debit credit", "credit debit", "soll haben", "s h", "d c", "c d", "d k", "dc", "cd", "deebet kreedit", "debit credit indicator",
		"balance impact", "auswirkung auf guthaben", "kennzeichen", "creditdebitindicator", "direction", "sens", "dr cr", "cr dr", "debe haber":
		return roleDirection
	case "details":
		return roleDetails
	case "currency", "wahrung", "waehrung", "divisa", "munt", "valuta code", "devise", "moneda", "moeda", "muntsoort", "mena", "waluta", "valuuta", "valiuta", "monnaie", "moneta", "ccy", "transaction currency", "buchungswahrung":
		return roleCurrency
	case "partner name", "counter party", "counterparty name", "merchant", "merchant name", "empfanger", "auftraggeber empfanger", "beguenstigter zahlungspflichtiger",
		"begunstigter zahlungspflichtiger", "auftraggeber begunstigter", "auftraggeber beguenstigter", "naam omschrijving", "naam tegenpartij", "name", "navn", "namn",
		"title", "zahlungsempfanger in", "zahlungsempfanger", "payee", "nombre", "beneficiario", "tiers", "text mottagare", "mottagare", "name zahlungsbeteiligter",
		"name description", "counterparty", "nom", "naam", "tegenpartij", "tegenpartij naam", "recipient", "target name", "begunstigter", "empfaenger", "payment recipient", "beneficiaire", "saaja maksja", "gavejas":
		return rolePayee
	case "zahlungspflichtige r", "zahlungspflichtiger", "auftraggeber":
		return rolePayer
	case "afsender", "modtager", "tegenrekening", "partner iban", "kontonummer iban", "tegenrekening iban bban", "iban zahlungsbeteiligter":
		return roleParty
	case "description", "memo", "verwendungszweck", "buchungstext", "concepto", "movimiento", "mas datos", "observaciones", "payment reference", "reference",
		"mededelingen", "omschrijving", "avisierungstext", "notification text", "notifications", "transaction description", "text", "beskrivelse", "beskrivning", "transaktion",
		"libelle", "descrizione", "causale", "descricao", "lancamento", "historico", "narrative", "notes", "notes and tags", "extended details", "booking text",
		"appears on your statement as", "descripcion", "specification", "verwendung", "description 1", "description 2", "libelle operation", "vrije mededeling", "notifications notification text",
		"popis", "opis operacji", "tekst", "meddelande", "selite", "viesti", "purpose", "item title", "artikelbezeichnung", "kommunikation", "reference de paiement", "selgitus", "paaiskinimai", "communication", "communications":
		return roleText
	case "type", "typ", "tipo", "transaction type", "umsatztyp", "umsatzart", "vorgang", "bewegungstyp", "mutatiesoort", "code", "transaktionstyp", "category", "kategorie",
		"kategori", "subcategory", "spending category", "transaction details type", "categorie", "type of movement", "label", "movement type", "soort", "art", "categoria":
		return roleType
	case "status", "state", "info", "estado", "tilstand", "statut", "pending", "buchungsstatus":
		return roleStatus
	case "balance", "saldo", "kontostand", "running bal", "running balance", "runningbalance", "disponible", "saldo na mutatie", "saldo na trn", "solde", "saldos", "kontostand nach buchung", "zostatok":
		return roleBalance
	case "transaction id", "transferwise id", "identificador", "transaktionscode", "transaktions nr", "transaction no", "fitid", "volgnr", "transactioncode", "no de transaction", "id", "n di transazione":
		return roleID
	case "reference txn id", "zugehoriger transaktionscode":
		return roleReference
	case "original amount", "betrag fremdwahrung", "amount foreign currency", "local amount", "originalbetrag", "oorspr bedrag", "lastschrift ursprungsbetrag", "montant devise etrangere", "montant devise", "fremdwahrungsbetrag", "amount in foreign currency", "foreign amount":
		return roleOriginal
	case "original currency", "fremdwahrung", "type foreign currency", "local currency", "originalwahrung", "oorspr munt", "type devise etrangere", "foreign currency":
		return roleOriginalCurrency
	case "fee", "gebuhr", "comision", "frais", "kosten":
		return roleFee
	case "mandatsreferenz", "mandate reference", "machtigingskenmerk", "mandate id":
		return roleMandate
	case "auftragskonto", "rekening", "account", "account number", "iban bban", "rekeningnummer", "iban", "konto", "account name":
		return roleAccount
	case "einzelbetrag", "individual amount", "single amount", "sous montant", "montant detail", "importo singolo", "montant individuel":
		return rolePart
	case "time", "uhrzeit", "hora", "heure":
		return roleTime
	case "payer", "net", "netto", "exchange rate", "kurs", "auslagenersatz rucklastschrift", "auslagenersatz ruecklastschrift", "date time", "afstemt":
		return roleNone
	}
	return roleByWord(name)
}

// roleByWord judges a name that is in no list by the words in it.
//
//nolint:misspell // words of other languages
func roleByWord(name string) role {
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(name, w) {
				return true
			}
		}
		return false
	}
	switch {
	case name == "" || len(name) > 40:
		return roleNone
	case has("saldo", "balance", "kontostand", "solde"):
		return roleBalance
	case has("original", "foreign", "local", "fremd", "ursprung", "fee", "gebuhr", "rate", "kurs", "tax", "limit", "spent", "cashback", "einzel"):
		return roleNone
	case has("vwz", "verwendungszweck", "description", "omschrijving", "beschreibung", "descripcion", "narrative", "libelle", "descrizione", "beskriv", "memo", "notific", "concepto"):
		return roleText
	case has("valut", "wertstell", "value date", "fecha valor"):
		return roleValue
	case has("date", "datum", "fecha", "buchungstag"), strings.HasPrefix(name, "data "):
		return roleDate
	case has("amount", "betrag", "importe", "bedrag", "belopp", "montant", "importo", "valor"):
		switch {
		case has("debit", "paid out", "withdraw", "debito"):
			return roleDebit
		case has("credit", "paid in", "deposit", "credito"):
			return roleCredit
		}
		return roleAmount
	case has("bic", "iban", "account", "konto", "rekening", "adres", "number", "nummer", "email"):
		return roleNone
	case has("merchant", "payee", "empfanger", "beneficiary", "counterparty", "beguenstigter", "begunstigter", "beneficiario", "tegenpartij"):
		return rolePayee
	case has("currency", "wahrung", "divisa"):
		return roleCurrency
	}
	return roleNone
}

// nameOf folds a column's name and takes the currency off it: "Betrag (EUR)",
// "Gutschrift in CHF", "IMPORTE (€)".
func nameOf(cell []byte) (name, currency string) {
	s := unmangle(cleanText(cell[:min(len(cell), 120)]))
	switch {
	case strings.Contains(s, "€"):
		currency = "EUR"
	case strings.Contains(s, "£"):
		currency = "GBP"
	case strings.Contains(s, "R$"):
		currency, s = "BRL", strings.ReplaceAll(s, "R$", "")
	}
	words := strings.Fields(fold(s))
	if n := len(words); n > 1 {
		code := strings.ToUpper(words[n-1])
		if _, ok := tools.CurrencyDigits(code); ok && strings.Contains(s, code) {
			currency, words = code, words[:n-1]
			if n := len(words); n > 1 && (words[n-1] == "in" || words[n-1] == "en") && words[0] != "paid" && words[0] != "money" {
				words = words[:n-1]
			}
		}
	}
	return strings.Join(words, " "), currency
}
