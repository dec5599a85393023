package reader

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"github.com/nodkeep/nodkeep/tools"
)

// decideOrder settles the order of the dates, or asks about a date of the file
// that each order reads in its own way.
func (v *survey) decideOrder(c *conventions, l locale, answer string, st *statement) error {
	c.orders = v.orders(l)
	a := order(answer)
	possible := v.dates.possible()
	all := orders()
	switch {
	case a == "":
	case !slices.Contains(all[:], a):
		if len(possible) == 0 {
			possible = all[:]
		}
		return tools.Fail(tools.Invalid, "reader.answer.choice", askOrder, cleanText([]byte(answer)), orderList(possible))
	case v.dates.total > 0 && !slices.Contains(possible, a):
		return tools.Fail(tools.Invalid, "reader.answer.against", askOrder, answer, orderList(possible))
	case v.dates.total > 0:
		c.orders = []order{a}
	}
	c.order = orderYMD
	if len(c.orders) > 0 {
		c.order = c.orders[0]
	}
	if len(c.orders) < 2 {
		return nil
	}
	date, p := v.example(c.orders)
	if date == "" {
		c.orders = c.orders[:1] // it makes no difference
		return nil
	}
	st.undated = true
	choices := make([]string, len(c.orders))
	args := []any{date}
	for i, o := range c.orders {
		d, _ := p.in(o)
		choices[i] = string(o)
		args = append(args, tools.T("reader.date_as", d.date(), string(o)))
	}
	q := question(askOrder, choices, args...)
	if len(choices) > 2 {
		q.Text = tools.T("reader.question.date_order_of_three", args...)
	}
	st.questions = append(st.questions, q)
	return nil
}

// orders is decided by the dates, else by those above the table, else by the
// country that the header points to.
func (v *survey) orders(l locale) []order {
	found := v.dates.decide()
	if len(found) < 2 {
		return found
	}
	head := dates{today: v.dates.today}
	for _, word := range bytes.FieldsFunc(v.table.preamble(), func(r rune) bool {
		return r == ' ' || r == '\n' || r == '\r' || r == '"' || rune(v.table.comma) == r
	}) {
		if p, ok := readDate(word); ok {
			head.see(p)
		}
	}
	if o := head.possible(); len(o) == 1 && slices.Contains(found, o[0]) {
		return o
	}
	if l.order != "" && slices.Contains(found, l.order) {
		return []order{l.order}
	}
	return found
}

func orderList(orders []order) string {
	var b []byte
	for i, o := range orders {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, o...)
	}
	return string(b)
}

// example is a date of the file that the orders read differently.
func (v *survey) example(among []order) (string, parts) {
	s := v.table.records()
	for s.next() {
		date := cell(s.cells, v.table.layout.at[roleDate])
		p, ok := readDate(date)
		if !ok || p.fixed {
			continue
		}
		first, _ := p.in(among[0])
		differs := false
		for _, o := range among {
			d, valid := p.in(o)
			ok = ok && valid
			differs = differs || d != first
		}
		if ok && differs {
			return cleanText(date), p
		}
	}
	return "", parts{}
}

// decideMark settles the decimal mark. Where each amount has one mark before
// three digits, the currency may tell, or the balances; else it is asked.
func (v *survey) decideMark(ctx context.Context, c *conventions, l locale, file File, answers map[string]string, st *statement) error {
	c.mark = v.marks.mark()
	proved := v.marks.proved()
	if !proved && v.balances.dot != v.balances.comma {
		c.mark, proved = v.balances.mark(), true
	}
	if !proved {
		mark, err := v.weigh(ctx, c, l, file, answers[askCurrency])
		if err != nil {
			return err
		}
		if proved = mark != 0; proved {
			c.mark = mark
		}
	}
	a := answers[askDecimal]
	switch {
	case a != "" && !proved:
		c.mark = a[0]
	case a != "" && a[0] != c.mark && v.marks.dot+v.marks.comma+v.marks.loneDot+v.marks.loneComma > 0:
		return tools.Fail(tools.Invalid, "reader.answer.against", askDecimal, a, string(rune(c.mark)))
	case !proved:
		st.unscaled = true
		m, _ := readMoney(v.lone, '.')
		n, _ := readMoney(v.lone, ',')
		// Whole numbers, because others would need a mark themselves.
		whole := func(m money) string { return strconv.FormatInt(int64(m.amount.abs()+5000)/10000, 10) }
		st.questions = append(st.questions, question(askDecimal, []string{".", ","}, cleanText(v.lone), whole(m), whole(n)))
	}
	return nil
}

// weigh looks for what tells the decimal mark besides the amounts themselves: a
// currency of three places or of none, and balances that only add up in one
// way. 0 means that nothing does.
func (v *survey) weigh(ctx context.Context, c *conventions, l locale, file File, answer string) (byte, error) {
	c.currency, c.likely, _ = v.currency(*c, l)
	named := c.currency
	if answer != "" && named == "" {
		named = answer
	}
	if named == "" && c.likely == "" {
		named = file.Currency
	}
	digits := map[int]bool{}
	at := &v.table.layout.at
	var hits [2]int
	var last [2]struct{ balance, amount amount }
	s := v.table.records()
	for n := 0; s.next(); n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if _, ok := v.date.read(cell(s.cells, at[roleDate])); !ok {
			continue
		}
		code := string(cell(s.cells, at[roleCurrency]))
		if d, ok := tools.CurrencyDigits(code); ok {
			digits[d] = true
		} else if d, ok := tools.CurrencyDigits(named); ok {
			digits[d] = true
		}
		for i, mark := range [...]byte{'.', ','} {
			amount, _ := readMoney(cell(s.cells, at[roleAmount]), mark)
			balance, ok := readMoney(cell(s.cells, at[roleBalance]), mark)
			if p := last[i]; ok && n > 0 && amount.amount != 0 && (p.balance+amount.amount == balance.amount || p.balance-p.amount == balance.amount) {
				hits[i]++
			}
			last[i].balance, last[i].amount = balance.amount, amount.amount
		}
	}
	lone := byte('.')
	if v.marks.loneComma > 0 {
		lone = ','
	}
	switch {
	case hits[0] > 0 && hits[1] == 0:
		return '.', nil
	case hits[1] > 0 && hits[0] == 0:
		return ',', nil
	case v.marks.loneDot > 0 && v.marks.loneComma > 0 || len(digits) != 1:
		return 0, nil
	case digits[3]:
		return lone, nil
	case digits[0]:
		return '.' + ',' - lone, nil
	}
	return 0, nil
}
