package reader

import (
	"bytes"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// locale is what the words of a header tell about the country of the bank:
// nothing that would be said of every file in that language.
type locale struct {
	language string
	order    order  // of dates written with slashes; "" where the language has two
	currency string // "" where the language has several
}

func (t *table) locale() locale {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(t.layout.names, n) })
	}
	all := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(t.layout.names, n) })
	}
	switch {
	case all("date", "category", "title", "amount"), has("lancamento", "identificador", "historico", "data lancamento"):
		return locale{"pt", orderDMY, "BRL"}
	case has("check or slip", "running bal", "check number", "checknumber", "runningbalance"), all("city state", "zip code"), all("card no", "posted date"),
		all("transaction date", "post date", "memo"):
		return locale{"en", orderMDY, "USD"}
	case has("sort code", "counter party"), all("paid out", "paid in"), all("number", "subcategory", "memo"):
		return locale{"en", orderDMY, "GBP"}
	case has("betrag", "umsatz", "buchungstag", "buchungsdatum", "verwendungszweck", "belastung", "lastschrift", "empfanger", "buchungstext"):
		return locale{"de", orderDMY, ""}
	case has("bedrag", "omschrijving", "naam omschrijving", "mededelingen", "boekdatum"):
		return locale{"nl", orderDMY, "EUR"}
	case has("importe", "concepto", "fecha valor", "fecha"):
		return locale{"es", orderDMY, ""}
	case has("montant", "libelle", "date operation"):
		return locale{"fr", orderDMY, ""}
	case has("importo", "causale", "descrizione", "data operazione"):
		return locale{"it", orderDMY, "EUR"}
	case has("belob", "bogforingsdato"):
		return locale{"da", orderDMY, "DKK"}
	case has("belopp", "bokforingsdatum", "bokforingsdag", "bokforingsdato"):
		return locale{"sv", orderDMY, "SEK"}
	case has("belop"):
		return locale{"no", orderDMY, "NOK"}
	case has("kwota", "data operacji"):
		return locale{"pl", orderDMY, "PLN"}
	case has("castka"):
		return locale{"cs", orderDMY, "CZK"}
	case has("valor", "descricao"):
		return locale{"pt", orderDMY, ""}
	}
	return locale{}
}

// currency of rows that name none themselves. Sure is what the file states in
// so many words; likely is a guess that only a person may make.
func (v *survey) currency(c conventions, l locale) (found, likely string, sure bool) {
	if v.table.layout.currency != "" {
		return v.table.layout.currency, "", true
	}
	for _, u := range v.units {
		if _, ok := tools.CurrencyDigits(string(u)); ok {
			return string(u), "", true
		}
	}
	code, byIBAN := statedCurrency(v.table.preamble())
	if code != "" {
		return code, "", true
	}
	kr, dollar := slices.Contains(v.units, "kr"), slices.Contains(v.units, "$")
	switch {
	case byIBAN != "":
		return byIBAN, byIBAN, false
	case l.currency != "":
		return l.currency, l.currency, false
	case l.language == "de" && c.mark == '.' && v.marks.dot > 0:
		return "CHF", "CHF", false // only Switzerland writes German with a decimal point
	case l.language == "de" && c.mark == ',', l.language == "es" && c.mark == ',', l.language == "fr" && c.mark == ',':
		return "EUR", "EUR", false
	case c.order == orderMDY && len(c.orders) == 1 && c.mark == '.':
		return "USD", "USD", false // no other country writes months first
	case c.mark == ',' && bytes.Contains(v.table.data, []byte("SALDO TOTAL DISPON")):
		return "BRL", "BRL", false // a line that Itaú writes for each day
	case kr:
		return "", "SEK", false
	case dollar:
		return "", "USD", false
	case l.language == "pt":
		return "", "BRL", false
	}
	return "", "", false
}

// statedCurrency finds the currency in the lines above a table: the first code
// that stands alone, and that of the account's IBAN. Only codes that banks of
// statements use: TOP, ALL and PEN are words as well.
func statedCurrency(head []byte) (code, byIBAN string) {
	for _, word := range bytes.FieldsFunc(head, func(r rune) bool { return bytes.ContainsRune([]byte(" ;,\"\n\r\t=:()|"), r) }) {
		if len(word) == 3 && slices.Contains(commonCurrencies("CZK", "HUF", "NZD", "INR", "MXN", "ZAR", "SGD", "HKD"), string(word)) {
			return string(word), byIBAN
		}
		if byIBAN == "" && len(word) >= 4 && word[2] >= '0' && word[2] <= '9' && word[3] >= '0' && word[3] <= '9' {
			byIBAN = countryCurrency(string(word[:2]))
		}
	}
	return "", byIBAN
}

func countryCurrency(country string) string {
	switch country {
	case "DE", "AT", "ES", "FR", "IT", "NL", "BE", "PT", "IE", "FI", "LU", "EE", "LV", "LT", "SK", "SI", "GR", "MT", "CY", "HR":
		return "EUR"
	case "CH", "LI":
		return "CHF"
	case "GB":
		return "GBP"
	case "DK":
		return "DKK"
	case "SE":
		return "SEK"
	case "NO":
		return "NOK"
	case "PL":
		return "PLN"
	case "CZ":
		return "CZK"
	case "BR":
		return "BRL"
	}
	return ""
}

// currencyOfRows is the last resort for a file that names no currency: words
// that banks of one country put into their texts, then the household's own.
func currencyOfRows(rows []row, c conventions, household string) string {
	british, brazilian := 0, 0
	for i := range rows[:min(len(rows), maxSample)] {
		text := fold(rows[i].text)
		if hasAny(text, "plc", "ltd", "co uk", "gbr", "london") {
			british++
		}
		if hasAny(text, "pix", "boleto", "tbi", "fatura", "sispag", "rshop", "ted", "pagto", "pgto", "mensalidade", "cartao", "padaria", "parcela") {
			brazilian++
		}
	}
	switch {
	case british > 1 && british > brazilian && c.mark == '.' && c.order == orderDMY:
		return "GBP"
	case brazilian > 1 && c.mark == ',':
		return "BRL"
	case c.likely != "" && household != c.likely:
		return ""
	}
	return household
}
