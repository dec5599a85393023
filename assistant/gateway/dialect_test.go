package gateway

import "testing"

func TestHostsAreKnownByTheirName(t *testing.T) {
	for host, want := range map[string]bool{
		"api.openai.com": true, "api.openai.com:443": true, "eu.api.openai.com": true, "API.OpenAI.com": true, "api.openai.com.": true,
		"openai.com": false, "notapi.openai.com": false, "api.openai.com.example.test": false, "evil-api.openai.com": false, "example.test": false, "[::1]:11434": false, "": false,
	} {
		if (target{Host: host}).is("api.openai.com") != want {
			t.Error(host)
		}
	}
}

func TestCurrent(t *testing.T) {
	for want, msgs := range map[int][]Message{
		0: nil,
		1: {{Role: User}},
		3: {{Role: User}, {Role: Assistant}, {Role: User}, {Role: Assistant}, {Role: Tools}},
	} {
		if got := current(msgs); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	if got := current([]Message{{Role: Assistant}, {Role: Tools}}); got != 0 {
		t.Error(got)
	}
}

func TestNine(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"", "call_1", "call_2", "toolu_01ABC", "fc-one", "ÄÖÜäöüß", "call_00000000000000000000000000000000000001"} {
		got := nine(id)
		if !isNine(got) || nine(id) != got || nine(got) != got {
			t.Errorf("%q becomes %q", id, got)
		}
		if other, taken := seen[got]; taken {
			t.Errorf("%q and %q are %q", id, other, got)
		}
		seen[got] = id
	}
	if nine("aB3dE6gH9") != "aB3dE6gH9" {
		t.Error("one that every host takes is changed")
	}
}

func TestWithin(t *testing.T) {
	long := "a-key-that-is-longer-than-the-64-characters-that-one-of-the-hosts-allows-it"
	if within("home", 64) != "home" || len(within(long, 64)) != 64 || within(long, 128) != long || within(long, 64) == within(long+"s", 64) {
		t.Error(within(long, 64))
	}
}
