package hooks

import (
	"slices"
	"strings"
	"testing"
)

// TestTrustedProxy: the environment wins over the dashboard at the start and
// after each save, and leaves nothing behind.
func TestTrustedProxy(t *testing.T) {
	var i *instance
	var super string
	save := func(headers string) {
		t.Helper()
		if status, a := i.web("PATCH", "/api/settings", super, `{"meta":{"appName":"Ours"},"trustedProxy":{"headers":`+headers+`}}`); status != 200 {
			t.Fatal(status, a)
		}
	}
	check := func(stored string, trusted ...string) {
		t.Helper()
		if got := i.pb.Settings().TrustedProxy.Headers; !slices.Equal(got, trusted) {
			t.Errorf("trusted are %q, want %q", got, trusted)
		}
		var row string
		if err := i.pb.DB().NewQuery("SELECT value FROM _params WHERE id = 'settings'").Row(&row); err != nil || !strings.Contains(row, `"headers":`+stored+`,`) {
			t.Errorf("%v: the dashboard's are not %s: %s", err, stored, row)
		}
	}
	i = newInstance(t)
	super = i.superuser()
	check(`[]`)
	save(`["CF-Connecting-IP"]`)
	check(`["CF-Connecting-IP"]`, "CF-Connecting-IP")

	ours := []string{"X-Real-IP", "X-Forwarded-For"}
	i = newInstance(t, "NODKEEP_TRUSTED_PROXY=X-Real-IP,X-Forwarded-For")
	super = i.superuser()
	check(`[]`, ours...)
	save(`["X-Real-IP","X-Forwarded-For"]`) // as the dashboard shows them
	check(`[]`, ours...)
	save(`["Fly-Client-IP"]`)
	check(`["Fly-Client-IP"]`, ours...)
	save(`["X-Real-IP","X-Forwarded-For"]`)
	check(`["Fly-Client-IP"]`, ours...)
	if status, a := i.web("PATCH", "/api/settings", super, `{"meta":{"appName":""}}`); status != 400 {
		t.Error(status, a)
	}
	check(`["Fly-Client-IP"]`, ours...)
	if err := i.pb.ReloadSettings(); err != nil {
		t.Fatal(err)
	}
	check(`["Fly-Client-IP"]`, ours...)
}
