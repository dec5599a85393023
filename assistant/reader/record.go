package reader

// reason says why a dated record is no booked transaction; "" if it is one.
func (r *rowReader) reason(cells [][]byte) string {
	l := &r.layout
	if l.has(roleStatus) {
		if why := statusReason(foldCell(cell(cells, l.at[roleStatus]))); why != "" {
			return why
		}
	}
	if l.has(roleDirection) && equalFold(cell(cells, l.at[roleDirection]), "memo") {
		return "pending"
	}
	if r.c.hasBooked && l.has(roleBooked) && len(cell(cells, l.at[roleBooked])) == 0 {
		return "pending"
	}
	return ""
}

// money reads the amount of a record, negative for money out as far as its own
// cells tell.
func (r *rowReader) money(cells [][]byte) (money, string) {
	l := &r.layout
	if l.has(roleAmount) {
		m, ok := r.one(cell(cells, l.at[roleAmount]))
		if !ok {
			return m, "amount"
		}
		if r.c.byFlag {
			if dir := directionOf(foldCell(cell(cells, l.at[roleDirection]))); dir != 0 {
				m.amount *= amount(dir)
			}
		}
		if l.has(roleFee) && !r.grossAmount() {
			if fee, ok := r.one(cell(cells, l.at[roleFee])); ok {
				m.amount -= fee.amount.abs()
			}
		}
		return m, ""
	}
	// Of two columns the one that is filled says the direction. Its own sign
	// says nothing: some banks write a minus in front of a debit, some do not.
	out, okOut := r.one(cell(cells, l.at[roleDebit]))
	in, okIn := r.one(cell(cells, l.at[roleCredit]))
	switch {
	case okOut && out.amount != 0:
		out.amount = -out.amount.abs()
		return out, ""
	case okIn:
		in.amount = in.amount.abs()
		return in, ""
	case okOut:
		return out, ""
	}
	return out, "amount"
}

func (r *rowReader) one(c []byte) (money, bool) {
	if len(c) == 0 {
		return money{}, false
	}
	return readMoney(c, r.c.mark)
}

// grossAmount says that the fee is taken from what others pay, not added to
// what is paid.
func (r *rowReader) grossAmount() bool {
	i := r.layout.at[roleAmount]
	if i >= len(r.layout.names) {
		return true
	}
	n := r.layout.names[i]
	return n == "gross" || n == "brutto" || n == "bruto"
}
