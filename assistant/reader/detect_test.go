package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// history writes charges as "date amount" of one merchant, and a last row that
// makes the file end on 30 September 2026.
func history(name string, charges ...string) string {
	s := "Date,Name,Amount (EUR)\n"
	for _, c := range charges {
		date, amount, _ := strings.Cut(c, " ")
		s += date + "," + name + "," + amount + "\n"
	}
	return s + "2026-09-30,SOMETHING ELSE,-1.23\n"
}

// every gives n charges, days apart.
func every(first string, days, n int, amount string) (list []string) {
	d, _ := tools.ParseDate(first)
	for i := range n {
		list = append(list, d.AddDays(days*i).String()+" "+amount)
	}
	return list
}

// monthly gives n charges on the anchor day, on Mondays where that is a weekend.
func monthly(year int, month time.Month, anchor, step, n int, amount string) (list []string) {
	c := tools.Cycle{N: step, Unit: tools.Months}
	first := tools.Date{Year: year, Month: month, Day: anchor}
	for k := range n {
		d := c.Nth(first, anchor, k)
		for d.Time().Weekday() == time.Saturday || d.Time().Weekday() == time.Sunday {
			d = d.AddDays(1)
		}
		list = append(list, d.String()+" "+amount)
	}
	return list
}

// brief describes what was found: cycle, amount, occurrences, anchor, next date.
func brief(list []tools.Recurring) (found []string) {
	for _, s := range list {
		next := s.NextDate.String()
		if !s.Active {
			next = "ended"
		}
		found = append(found, fmt.Sprintf("%s %s %d %d %s", s.Cycle, s.Amount, s.Occurrences, s.AnchorDay, next))
	}
	slices.Sort(found)
	return found
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name    string
		charges []string
		want    []string
	}{
		{"month's end, moved to working days", monthly(2026, 3, 31, 1, 7, "-10.00"), []string{"P1M 10.00 7 31 2026-10-31"}},
		{"first of the month, moved to working days", monthly(2026, 2, 1, 1, 8, "-10.00"), []string{"P1M 10.00 8 1 2026-10-01"}},
		{"two charges are not enough", monthly(2026, 8, 5, 1, 2, "-10.00"), nil},
		{"four weeks, six charges", every("2026-04-20", 28, 6, "-10.00"), []string{"P4W 10.00 6 0 2026-10-05"}},
		{"every 30 days for a year", every("2025-09-20", 30, 13, "-10.00"), []string{"P1M 10.00 13 18 2026-10-18"}},
		{"every two weeks", every("2026-07-01", 14, 7, "-10.00"), []string{"P2W 10.00 7 0 2026-10-07"}},
		{"every two months", monthly(2026, 1, 9, 2, 5, "-10.00"), []string{"P2M 10.00 5 9 2026-11-09"}},
		{"leap day", []string{"2024-02-29 -10.00", "2025-02-28 -10.00", "2026-02-28 -10.00"}, []string{"P1Y 10.00 3 29 2027-02-28"}},
		{"a price that rises", append(monthly(2026, 3, 5, 1, 4, "-4.00"), monthly(2026, 7, 5, 1, 3, "-25.00")...), []string{"P1M 25.00 7 5 2026-10-05"}},
		{"a habit", []string{"2026-06-01 -3.20", "2026-06-04 -3.20", "2026-06-22 -3.20", "2026-07-19 -3.20", "2026-08-03 -3.20", "2026-08-05 -3.20"}, nil},
		{"a supermarket", []string{"2026-08-01 -31.20", "2026-08-08 -40.11", "2026-08-15 -32.90", "2026-08-22 -34.56", "2026-08-29 -39.99", "2026-09-05 -44.10"}, nil},
		{"monthly, and once in between", append(monthly(2026, 3, 5, 1, 7, "-10.00"), "2026-06-17 -49.00"), []string{"P1M 10.00 7 5 2026-10-05"}},
		{"two contracts at one price", append(monthly(2026, 3, 5, 1, 7, "-10.00"), monthly(2026, 3, 19, 1, 7, "-10.00")...), []string{"P1M 10.00 7 19 2026-10-19", "P1M 10.00 7 5 2026-10-05"}},
		{"two contracts at one price on one day", append(monthly(2026, 3, 5, 1, 7, "-10.00"), monthly(2026, 3, 5, 1, 7, "-10.00")...), []string{"P1M 10.00 7 5 2026-10-05", "P1M 10.00 7 5 2026-10-05"}},
		{"two plans", append(monthly(2026, 3, 5, 1, 7, "-10.00"), monthly(2026, 3, 6, 1, 7, "-15.00")...), []string{"P1M 10.00 7 5 2026-10-05", "P1M 15.00 7 6 2026-10-06"}},
		{"a debit that failed and was tried again", append(monthly(2026, 3, 5, 1, 7, "-10.00"), "2026-06-08 10.00", "2026-06-12 -10.00"), []string{"P1M 10.00 7 5 2026-10-05"}},
		{"a month that was refunded", append(monthly(2026, 3, 5, 1, 7, "-10.00"), "2026-06-12 10.00"), []string{"P1M 10.00 7 5 2026-10-05"}},
		{"a month that was missed", append(monthly(2026, 1, 5, 1, 4, "-10.00"), monthly(2026, 6, 5, 1, 4, "-10.00")...), []string{"P1M 10.00 8 5 2026-10-05"}},
		{"cancelled in June", monthly(2026, 1, 5, 1, 6, "-10.00"), []string{"P1M 10.00 6 5 ended"}},
		{"paused for half a year", append(monthly(2025, 6, 5, 1, 4, "-10.00"), monthly(2026, 5, 5, 1, 5, "-10.00")...), []string{"P1M 10.00 4 5 ended", "P1M 10.00 5 5 2026-10-05"}},
		{"a currency that wavers", []string{"2026-05-11 -17.64", "2026-06-11 -17.06", "2026-07-11 -17.73", "2026-08-11 -17.31", "2026-09-11 -16.85"}, []string{"P1M 16.85 5 11 2026-10-11"}},
		{"half a year apart by chance", []string{"2026-03-01 -10.00", "2026-08-25 -10.00"}, nil},
		{"the amount of another day among many", append(every("2026-05-01", 11, 12, "-7.77"), "2025-09-03 -12.00", "2026-09-03 -12.00"), nil},
	} {
		slices.Sort(c.charges)
		got := brief(read(t, history("MERCHANT ONE", c.charges...), nil).Subscriptions)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestUnsure(t *testing.T) {
	for name, charges := range map[string][]string{
		"four weeks seen three times": every("2026-07-13", 28, 3, "-10.00"),
	} {
		list := read(t, history("MERCHANT", charges...), nil).Subscriptions
		if len(list) != 1 || list[0].Confidence >= 0.75 {
			t.Errorf("%s: %+v", name, list)
		}
	}
	for name, c := range map[string]struct {
		merchant string
		charges  []string
		found    int
	}{
		"a known service, once, lately":   {"NETFLIX.COM", []string{"2026-09-12 -9.99"}, 1},
		"a known service, once, long ago": {"NETFLIX.COM", []string{"2026-05-12 -9.99"}, 0},
		"somebody unknown, once":          {"CORNER SHOP", []string{"2026-09-12 -9.99"}, 0},
	} {
		list := read(t, history(c.merchant, c.charges...), nil).Subscriptions
		if len(list) != c.found || c.found == 1 && list[0].Confidence >= 0.75 {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

func TestNotSubscribed(t *testing.T) {
	for _, name := range []string{"LOJA - Parcela %d/9", "Shop Rate %d von 12", "LOJA %d/12", "GELDAUTOMAT HBF", "Umbuchung Tagesgeld", "MONTHLY SERVICE FEE", "CHASE CREDIT CRD AUTOPAY", "Kreditkartenabrechnung"} {
		text := "Date,Name,Amount (EUR)\n"
		for m := 4; m <= 9; m++ {
			n := name
			if strings.Contains(n, "%d") {
				n = fmt.Sprintf(n, m-3)
			}
			text += fmt.Sprintf("2026-%02d-05,%s,-10.00\n", m, n)
		}
		if list := read(t, text, nil).Subscriptions; len(list) > 0 {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

//nolint:misspell // words of other languages
func TestMerchant(t *testing.T) {
	for _, c := range []struct{ payee, text, name, key string }{
		{"", "CHECKCARD 0412 HULU 679783030748 HULU.COM/BILL CA", "Hulu", "hulu"},
		{"", "KAUF/ONLINE-SHOPPING VOM 05.01.2026 KARTEN NR. XXXX8172 NETFLIX.COM LOS GATOS", "Netflix.com Los Gatos", "netflix los gatos"},
		{"", "COMPRA NETFLIX.COM, AMSTERDAM, TARJETA 4977XXXXXXXX5257 , COMISION 0,00", "Netflix.com", "netflix"},
		{"", "NETFLIX.COM 866-579-7172 CA        09/08", "Netflix.com", "netflix"},
		{"", "PAYPAL DES:INST XFER ID:SPOTIFYUSAI INDN:HOLDER CO ID:PAYPALSI77 WEB", "Spotifyusai", "spotifyusai"},
		{"", "TRANSFERENCIA A FAVOR DE ALQUILERES RIBERA, CONCEPTO Alquiler piso", "Alquileres Ribera", "alquileres ribera"},
		{"", "BEA, Betaalpas                   ALBERT HEIJN 1234,PAS012 NR:X1, 01.04.26/10:00 UTRECHT", "Albert Heijn", "albert heijn"},
		{"", "/TRTP/SEPA Incasso/CSID/NL00ZZZ/NAME/Krant Vandaag/MARF/M1/REMI/x", "Krant Vandaag", "krant vandaag"},
		{"", "Auftraggeber: STADTWERKE AMSEL Buchungstext: Abschlag 04", "Stadtwerke Amsel", "stadtwerke amsel"},
		{"Spotify PFCCT74D2", "", "Spotify", "spotify"},
		{"FRISCHMARKT.HOLLER.8656//MUENCHEN/DE", "", "Frischmarkt.Holler", "frischmarkt holler"},
		{"PAYPAL *VINTAGELAMP 402-935-7733 CA", "", "Vintagelamp", "vintagelamp"},
		{"GOOGLE*GOOGLE ONE G.CO/HELPPAY#", "", "Google One", "google one"},
		{"AMZN Mktp DE*58NXVP67P", "", "AMZN Mktp DE", "amzn mktp"},
		{"PayPal Europe S.a.r.l. et Cie S.C.A", "1038/PP.1234.PP/. SPOTIFY, Ihr Einkauf bei MusikStrom GmbH", "MusikStrom GmbH", "musikstrom"},
		{"1&1 Telecom GmbH", "", "1&1 Telecom GmbH", "telecom"},
		{"MÜLLER & SÖHNE OHG", "", "Müller & Söhne OHG", "muller sohne"},
		{"12345", "", "12345", "12345"},
	} {
		r := row{text: c.payee, payee: uint16(len(c.payee))}
		if c.payee != "" && c.text != "" {
			r.text += " · "
		}
		r.text += c.text
		var m merchant
		m.of(&r)
		if got := tidy(m.name); got != c.name || string(m.key) != c.key {
			t.Errorf("%s %s: got %q %q, want %q %q", c.payee, c.text, got, m.key, c.name, c.key)
		}
	}
}

// TestOneMerchant reads many rows of one merchant, on one day and over many
// years: time must grow with the rows, not with their square.
func TestOneMerchant(t *testing.T) {
	for name, row := range map[string]func(int) string{
		"one day":            func(int) string { return "2026-09-01,SHOP,-1.00\n" },
		"bought, given back": func(i int) string { return fmt.Sprintf("2026-09-01,SHOP,%d.00\n", 1-2*(i%2)) },
		"prices that repeat": func(i int) string {
			return tools.Date{Year: 1990, Month: 1, Day: 1}.AddDays(i/10).String() + fmt.Sprintf(",SHOP,-%d.00\n", i%3000)
		},
	} {
		var b strings.Builder
		b.WriteString("Date,Name,Amount (EUR)\n")
		for i := range 100_000 {
			b.WriteString(row(i))
		}
		if review := read(t, b.String(), nil); review.Parsed.Transactions != 100_000 {
			t.Errorf("%s: %d transactions", name, review.Parsed.Transactions)
		}
	}
}

// TestKindOfBooking leaves out what the bank's own kind of booking tells apart.
func TestKindOfBooking(t *testing.T) {
	text := "Date,Type,Name,Amount,Currency\n"
	for m := 4; m <= 9; m++ {
		text += fmt.Sprintf("2026-%02d-05,Pot transfer,Holidays,-50.00,GBP\n2026-%02d-09,Direct Debit,Gym,-20.00,GBP\n", m, m)
	}
	if list := read(t, text, nil).Subscriptions; len(list) != 1 || list[0].Merchant != "Gym" {
		t.Errorf("%+v", list)
	}
}

// TestSharedMandate keeps the merchants apart that one payment service collects
// for, and joins the names of one contract.
func TestSharedMandate(t *testing.T) {
	text := "Buchungstag;Name;Verwendungszweck;Betrag EUR\n"
	for m := 4; m <= 9; m++ {
		text += fmt.Sprintf("05.%02d.2026;PayPal Europe S.a.r.l.;MREF+4RTJ2248EWXYZ Ihr Einkauf bei MusikStrom;-9,99\n", m)
		text += fmt.Sprintf("17.%02d.2026;PayPal Europe S.a.r.l.;MREF+4RTJ2248EWXYZ Ihr Einkauf bei FontFoundry;-12,00\n", m)
		text += fmt.Sprintf("09.%02d.2026;%s;MREF+K8812345678;-30,00\n", m, []string{"Fitness Puls GmbH", "FP Studios"}[m%2])
	}
	var got []string
	for _, s := range read(t, text, nil).Subscriptions {
		got = append(got, fmt.Sprint(s.Merchant, " ", s.Occurrences))
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"FP Studios 6", "FontFoundry 6", "MusikStrom 6"}, got); diff != "" {
		t.Error(diff)
	}
}
