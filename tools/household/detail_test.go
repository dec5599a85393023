package household

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/ozzo-validation/v4/is"

	"github.com/nodkeep/nodkeep/tools"
)

func TestParseURL(t *testing.T) {
	good := map[string]string{
		"":                                "",
		"netflix.com":                     "https://netflix.com",
		" HTTPS://Netflix.COM/ ":          "https://netflix.com",
		"http://fritz.box:80/a?b=c#d":     "http://fritz.box/a?b=c#d",
		"https://example.com:8443/Login":  "https://example.com:8443/Login",
		"example.com:8443/Login":          "https://example.com:8443/Login",
		"https://example.com/a b":         "https://example.com/a%20b",
		"https://example.com/ü":           "https://example.com/%C3%BC",
		"https://exam\u200bple.com":       "https://example.com",
		"https://example.com/?q=http://x": "https://example.com/?q=http://x",
	}
	for in, want := range good {
		got, err := parseURL("url", in, maxURL)
		if err != nil || got != want {
			t.Errorf("%q gives %q, %v; want %q", in, got, err, want)
		}
		if again, err := parseURL("url", got, maxURL); err != nil || again != got {
			t.Errorf("%q is not what it stays: %q, %v", got, again, err)
		}
	}
	for _, in := range []string{
		"javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://example.com", "mailto:a@example.com",
		"https://", "https:///x", "//example.com", "https://ann:secret@example.com", "https://ann@example.com", "https://exa mple.com", "http:", "a\nb", "https://example.com:x/",
		"https://example.com/" + strings.Repeat("x", maxURL),
	} {
		if got, err := parseURL("url", in, maxURL); err == nil && in != "a\nb" {
			t.Errorf("%q is taken as %q", in, got)
		}
	}
}

// What is taken is an address that stays as it is, and that the field takes.
func FuzzParseURL(f *testing.F) {
	for _, s := range []string{"netflix.com", "HTTPS://X.example:443/?a#b", "http://[::1]:80/", "x.example:8080", "https://a@b.example", "//x", "https://x.example/%zz"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseURL("url", s, maxURL)
		if err != nil || got == "" {
			return
		}
		if again, err := parseURL("url", got, maxURL); err != nil || again != got {
			t.Errorf("%q is kept as %q, which is read as %q, %v", s, got, again, err)
		}
		if u, err := url.Parse(got); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || is.URL.Validate(got) != nil {
			t.Errorf("%q is kept as %q", s, got)
		}
	})
}

func TestDetailsOfSubscription(t *testing.T) {
	a := newHome(t)
	store(t, a, methods, args{"name": "Visa"})
	store(t, a, methods, args{"name": "PayPal"})
	got := add(t, a, "ann", args{"payment_method": "VISA", "url": "netflix.com/de", "account": " ann@example.com  (family) ", "remind_days": -1})
	if got.PaymentMethod == nil || got.PaymentMethod.Name != "Visa" || got.URL != "https://netflix.com/de" || got.Account != "ann@example.com (family)" || *got.RemindDays != -1 {
		t.Errorf("%+v", got.Subscription)
	}
	out, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": got.ID, "payment_method": "paypal", "url": "http://example.com", "account": "x", "remind_days": 90})
	if out.PaymentMethod.Name != "PayPal" || out.URL != "http://example.com" || out.Account != "x" || *out.RemindDays != 90 {
		t.Errorf("%+v", out.Subscription)
	}
	byID, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": got.ID, "payment_method": got.PaymentMethod.ID})
	if byID.PaymentMethod.Name != "Visa" {
		t.Errorf("%+v", byID.PaymentMethod)
	}
	empty, _ := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": got.ID, "clear": []string{"payment_method", "url", "account", "remind_days"}})
	if empty.PaymentMethod != nil || empty.URL+empty.Account != "" || empty.RemindDays != nil {
		t.Errorf("%+v", empty.Subscription)
	}
	other := add(t, a, "ann", args{"name": "Spotify"}).ID
	apply[Bulk](t, a, "ann", "household_subscriptions_bulk_update", args{"ids": []string{got.ID, other}, "payment_method": "visa", "remind_days": 7})
	for _, id := range []string{got.ID, other} {
		if s := read[Details](t, a, "ann", "household_subscription_get", args{"id": id}); s.PaymentMethod.Name != "Visa" || *s.RemindDays != 7 {
			t.Errorf("%+v", s.Subscription)
		}
	}
	apply[Bulk](t, a, "ann", "household_subscriptions_bulk_update", args{"ids": []string{got.ID, other}, "clear": []string{"payment_method", "remind_days"}})
	if s := read[Details](t, a, "ann", "household_subscription_get", args{"id": other}); s.PaymentMethod != nil || s.RemindDays != nil {
		t.Errorf("%+v", s.Subscription)
	}
}

func TestBadDetails(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	before := dump(t, a)
	const update = "household_subscription_update"
	for _, c := range []struct {
		tool  string
		in    args
		words string
	}{
		{update, args{"id": id, "url": "javascript:alert(1)"}, "url|javascript"},
		{update, args{"id": id, "url": "https://ann:secret@example.com"}, "url|password"},
		{update, args{"id": id, "payment_method": "Visa"}, "payment_method|Visa|household_payment_method_add"},
		{update, args{"id": id, "account": strings.Repeat("a", 501)}, "account|500"},
		{update, args{"id": id, "remind_days": 91}, "remind_days|91|90"},
		{update, args{"id": id, "remind_days": -2}, "remind_days|-2"},
		{update, args{"id": id, "url": "x.example", "clear": []string{"url"}}, "url|cleared"},
		{update, args{"id": id, "clear": []string{"logo"}}, "clear|logo|notes"},
		{"household_subscriptions_bulk_update", args{"ids": []string{id}, "payment_method": "Visa"}, "payment_method|Visa"},
		{"household_subscriptions_bulk_update", args{"ids": []string{id}, "remind_days": 100}, "remind_days|100"},
		{"household_subscriptions_bulk_update", args{"ids": []string{id}, "clear": []string{"notes"}}, "clear|notes|tags"},
	} {
		refused(t, a, c.tool, c.in, tools.Invalid, strings.Split(c.words, "|")...)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}
