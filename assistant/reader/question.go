package reader

import (
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// The questions that a file can leave open. Their answers are valid for any
// file of the same bank, so an answer that was not asked for is welcome as long
// as the file does not speak against it.
const (
	askOrder    = "date_order"
	askCurrency = "currency"
	askDecimal  = "decimal"
	askSign     = "sign"
)

// The choices of askSign: which amounts are money that went out.
const (
	outNegative = "negative"
	outPositive = "positive"
)

func checkAnswers(answers map[string]string) error {
	for id, choice := range answers {
		valid := []string{outNegative, outPositive}
		switch id {
		case askOrder:
			continue // what it may be is for the file to say
		case askDecimal:
			valid = []string{".", ","}
		case askSign:
		case askCurrency:
			if _, ok := tools.CurrencyDigits(choice); ok {
				continue
			}
			valid = commonCurrencies("", "")
		default:
			return tools.Fail(tools.Invalid, "reader.answer.unknown", cleanText([]byte(id)), strings.Join([]string{askCurrency, askOrder, askDecimal, askSign}, ", "))
		}
		if !slices.Contains(valid, choice) {
			return tools.Fail(tools.Invalid, "reader.answer.choice", id, cleanText([]byte(choice)), strings.Join(valid, ", "))
		}
	}
	return nil
}

func question(id string, choices []string, args ...any) tools.Question {
	return tools.Question{ID: id, Text: tools.T("reader.question."+id, args...), Choices: choices}
}

// commonCurrencies are the choices of askCurrency, the likely ones first. Any
// other ISO 4217 code is as good an answer.
func commonCurrencies(likely ...string) []string {
	var list []string
	for _, c := range append(likely, "EUR", "USD", "GBP", "CHF", "BRL", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "JPY") {
		if c != "" && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}
