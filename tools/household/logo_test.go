package household

import (
	"io"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// The beginnings of files, by which they are told apart.
const (
	png  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00"
	jpeg = "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01"
	gif  = "GIF89a\x01\x00\x01\x00\x00\x00\x00"
	webp = "RIFF\x24\x00\x00\x00WEBPVP8 "
)

func picture(name, data string) tools.Upload { return tools.Upload{Name: name, Data: []byte(data)} }

// logoOf is what is stored as the picture of a subscription.
func logoOf(tb testing.TB, a *toolstest.App, id string) string {
	tb.Helper()
	rec, err := a.FindRecordById(subscriptions, id)
	if err != nil {
		tb.Fatal(err)
	}
	name := rec.GetString("logo")
	if name == "" {
		return ""
	}
	files, err := a.NewFilesystem()
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = files.Close() }()
	f, err := files.GetReader(path.Join(rec.BaseFilesPath(), name))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(f)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

func TestLogo(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	const tool = "household_logo_set"
	says(t, a, tool, args{"id": id, "logo": picture("n.png", png)}, "Give Netflix a picture")
	first, _ := apply[Subscription](t, a, "ann", tool, args{"id": id, "logo": picture("../../My Logo.png", png)})
	if !strings.HasPrefix(first.Logo, "my_logo_") || logoOf(t, a, id) != png {
		t.Errorf("%s has %q", first.Logo, logoOf(t, a, id))
	}
	before := dump(t, a)
	_, second := apply[Subscription](t, a, "ann", tool, args{"id": id, "logo": picture("b.jpg", jpeg)})
	// What is shown of it is the name, never the content.
	if len(second.Changes) != 1 || len(second.Changes[0].Fields) != 1 {
		t.Fatalf("%+v", second.Changes)
	}
	f := second.Changes[0].Fields[0]
	after, _ := f.RawAfter.(string)
	if f.Name != "logo" || f.RawBefore != first.Logo || !strings.HasPrefix(after, "b_") || a.Catalogue.English(tools.Text(f.After)) != after {
		t.Errorf("%+v", f)
	}
	if logoOf(t, a, id) != jpeg {
		t.Errorf("it has %q", logoOf(t, a, id))
	}
	says(t, a, tool, args{"id": id, "clear": true}, "Take the picture off Netflix")
	cleared, clear := apply[Subscription](t, a, "ann", tool, args{"id": id, "clear": true})
	if cleared.Logo != "" || logoOf(t, a, id) != "" {
		t.Errorf("%+v", cleared)
	}
	refused(t, a, tool, args{"id": id, "clear": true}, tools.Conflict, "clear", "Netflix")
	for _, undo := range []struct {
		receipt tools.Receipt
		want    string
	}{{clear, jpeg}, {second, png}} {
		if _, err := a.Undo(a.As("ann"), undo.receipt.Audit...); err != nil {
			t.Fatal(err)
		}
		if got := logoOf(t, a, id); got != undo.want {
			t.Errorf("after the undo it is %q", got)
		}
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	for name, data := range map[string]string{"a.gif": gif, "a.webp": webp, "says.gif": jpeg} {
		if apply[Subscription](t, a, "ann", tool, args{"id": id, "logo": picture(name, data)}); logoOf(t, a, id) != data {
			t.Errorf("%s was not stored", name)
		}
	}
}

func TestBadLogo(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	secret := add(t, a, "bob", args{"private": true}).ID
	before := dump(t, a)
	for _, c := range []struct {
		in    args
		kind  tools.Kind
		words string
	}{
		{args{"id": id}, tools.Invalid, "nothing to change"},
		{args{"id": id, "logo": picture("a.png", png), "clear": true}, tools.Invalid, "logo"},
		{args{"id": id, "logo": picture("a.png", "")}, tools.Invalid, "logo|empty"},
		{args{"id": id, "logo": picture("a.png", "%PDF-1.7\n")}, tools.Invalid, "logo|application/pdf|image/png"},
		{args{"id": id, "logo": picture("a.png", "<svg xmlns='http://www.w3.org/2000/svg'/>")}, tools.Invalid, "logo|svg|image/png"},
		{args{"id": id, "logo": picture("a.png", png+strings.Repeat("x", 512<<10))}, tools.Invalid, "logo|524288"},
		{args{"id": id, "logo": "https://example.com/a.png"}, tools.Invalid, "logo"},
		{args{"id": id, "logo": args{"name": "a.png", "data": "%%%"}}, tools.Invalid, "logo"},
		{args{"id": id, "logo": args{"name": "a.png", "url": "https://example.com/a.png"}}, tools.Invalid, "logo"},
		{args{"id": "nobody", "logo": picture("a.png", png)}, tools.NotFound, "nobody"},
		{args{"id": secret, "logo": picture("a.png", png)}, tools.NotFound, secret},
	} {
		refused(t, a, "household_logo_set", c.in, c.kind, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%v: %s", c.in, diff)
		}
	}
}
