package household

import "testing"

// A row can be called otherwise than the bank does; the bank's own words still
// find it the next time.
func TestImportNames(t *testing.T) {
	a := homeOn(t, "2026-06-20")
	rows := map[string]any{"file": "bank.csv", "fingerprint": "x", "subscriptions": []any{map[string]any{
		"merchant": "NFLX 4711 AMSTERDAM", "name": "Netflix for us", "cycle": "P1M", "amount": "15.99", "currency": "EUR",
		"first_date": "2026-02-15", "last_date": "2026-05-15", "active": true,
	}}}
	out, _ := apply[Imported](t, a, "ann", "household_import_apply", rows)
	if len(out.Added) != 1 || out.Added[0].Name != "Netflix for us" {
		t.Fatalf("%+v", out)
	}
	rows["subscriptions"].([]any)[0].(map[string]any)["last_date"] = "2026-06-15"
	delete(rows["subscriptions"].([]any)[0].(map[string]any), "name")
	refused(t, a, "household_import_apply", rows, "conflict", "nothing new")
}
