package tools_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

func sealKeys(t testing.TB, given string) tools.Keys {
	t.Helper()
	k, err := tools.LoadKeys(t.TempDir(), strings.Repeat(given, 32))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestSeal: a sealed secret opens with its key for its owner, and in no other
// way, and no error tells of it.
func TestSeal(t *testing.T) {
	k := sealKeys(t, "k")
	owner := tools.Owner{Collection: "users", Record: "abc", Field: "words"}
	for _, secret := range []string{"", "x", "four little words here", strings.Repeat("long ", 10_000)} {
		sealed, err := k.Seal(owner, []byte(secret))
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := k.Seal(owner, []byte(secret)); again == sealed {
			t.Error("two seals are the same: the nonce is not random")
		}
		if got, err := k.Open(owner, sealed); err != nil || string(got) != secret {
			t.Errorf("%.20q opens as %.20q, %v", secret, got, err)
		}
	}
	const secret = "four little words here"
	sealed, err := k.Seal(owner, []byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(sealed, "words") {
		t.Error("it is not sealed")
	}
	refused := func(what string, k tools.Keys, o tools.Owner, sealed string) {
		t.Helper()
		got, err := k.Open(o, sealed)
		if !errors.Is(err, tools.ErrSealed) || got != nil {
			t.Errorf("%s: %q, %v", what, got, err)
		}
		if err != nil && (strings.Contains(err.Error(), "little") || len(sealed) > 3 && strings.Contains(err.Error(), sealed)) {
			t.Errorf("%s: the error tells: %v", what, err)
		}
	}
	refused("another key", sealKeys(t, "j"), owner, sealed)
	for _, o := range []tools.Owner{
		{Collection: "users", Record: "abd", Field: "words"},
		{Collection: "user", Record: "abc", Field: "words"},
		{Collection: "users", Record: "abc", Field: "word"},
		{Collection: "usersa", Record: "bc", Field: "words"},
		{Collection: "users", Record: "abcwor", Field: "ds"},
	} {
		refused("another owner", k, o, sealed)
	}
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		t.Fatal(err)
	}
	for n := range raw {
		bad := bytes.Clone(raw)
		bad[n] ^= 1
		refused("a damaged byte", k, owner, base64.RawURLEncoding.EncodeToString(bad))
		refused("cut off", k, owner, base64.RawURLEncoding.EncodeToString(raw[:n]))
	}
	for _, foreign := range []string{"", "A", "AQ", "not base64!", secret, sealed + "=", sealed + "AA", sealed + "\n", " " + sealed, strings.Repeat("A", 100)} {
		refused("foreign", k, owner, foreign)
	}
	for _, o := range []tools.Owner{{}, {Record: "abc", Field: "words"}, {Collection: "users", Field: "words"}, {Collection: "users", Record: "abc"}} {
		if _, err := k.Seal(o, []byte(secret)); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("sealed for nobody: %v", err)
		}
		if _, err := k.Open(o, sealed); err == nil {
			t.Error("opened for nobody")
		}
	}
	if _, err := (tools.Keys{}).Seal(owner, []byte(secret)); err == nil {
		t.Error("sealed without a key")
	}
}

// FuzzSeal: what was sealed opens as it was; nothing else opens, and nothing
// panics.
func FuzzSeal(f *testing.F) {
	k := sealKeys(f, "k")
	sealed, err := k.Seal(tools.Owner{Collection: "users", Record: "abc", Field: "words"}, []byte("secret"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("users", "abc", "words", []byte("secret"), sealed)
	f.Add("a", "b", "c", []byte{}, "")
	f.Add("a", "b", "c", []byte{1}, "AQ")
	f.Fuzz(func(t *testing.T, collection, record, field string, secret []byte, foreign string) {
		o := tools.Owner{Collection: collection, Record: record, Field: field}
		sealed, err := k.Seal(o, secret)
		if (err != nil) != (collection == "" || record == "" || field == "") {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		if got, err := k.Open(o, sealed); err != nil || !bytes.Equal(got, secret) {
			t.Fatalf("%q opens as %q, %v", secret, got, err)
		}
		own := o == tools.Owner{Collection: "users", Record: "abc", Field: "words"}
		if got, err := k.Open(o, foreign); err == nil && (!own || string(got) != "secret") {
			t.Fatalf("%q opens as %q", foreign, got)
		}
	})
}
