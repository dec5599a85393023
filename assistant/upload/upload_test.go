package upload

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/tools/filesystem"

	"github.com/nodkeep/nodkeep/tools"
)

func TestPutAndRead(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	up := h.put(`C:\files\statement of may.csv`, "Date,Amount\n2026-05-01,-3.00\n")
	if up.State != Ready || up.Name != "statement of may.csv" || up.Type != "text/csv" || up.Size != 29 || !up.Expires.Equal(h.now.Add(time.Hour).UTC().Truncate(time.Millisecond)) {
		t.Errorf("%+v", up)
	}
	file, err := h.Read(ctx, h.ann, up.ID)
	if err != nil || file.Name != up.Name || string(file.Data) != "Date,Amount\n2026-05-01,-3.00\n" {
		t.Errorf("%+v %v", file, err)
	}
	// On disk it is nothing to be read, nor under another row.
	sealed, err := os.ReadFile(filepath.Join(h.app.DataDir(), "storage", tools.UploadsTable, up.ID))
	if err != nil || strings.Contains(string(sealed), "2026") {
		t.Errorf("%q %v", sealed, err)
	}
	if _, err := h.c.Keys.Open(owner("another00000000"), string(sealed)); err == nil {
		t.Error("it opens for another row")
	}
	list, err := h.List(ctx, h.ann)
	if err != nil || len(list) != 1 || list[0] != up {
		t.Errorf("%+v %v", list, err)
	}

	// It is nobody else's.
	bob := h.id("bob")
	for _, id := range []string{up.ID, "", "' OR 1=1", "../" + up.ID} {
		who := bob
		if id != up.ID {
			who = h.ann
		}
		_, err = h.Get(ctx, who, id)
		wantKind(t, err, tools.NotFound)
		_, err = h.Read(ctx, who, id)
		wantKind(t, err, tools.NotFound)
		wantKind(t, h.Delete(ctx, who, id), tools.NotFound)
	}
	if list, err := h.List(ctx, bob); err != nil || len(list) != 0 {
		t.Errorf("%+v %v", list, err)
	}
	if err := h.Delete(ctx, h.ann, up.ID); err != nil {
		t.Error(err)
	}
	if h.rowsThere() != 0 || len(h.kept()) != 0 {
		t.Error("row or file stayed")
	}
}

func TestPutRefuses(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	_, err := h.Put(ctx, h.ann, 0, body("a.csv", ""))
	wantKind(t, err, tools.Invalid)
	_, err = h.Put(ctx, h.ann, MaxBytes+1, func() (tools.Upload, error) { t.Error("it was read"); return tools.Upload{}, nil })
	wantKind(t, err, tools.TooLarge)
	_, err = h.Put(ctx, h.ann, -1, body("a.csv", large(MaxBytes+1)))
	wantKind(t, err, tools.TooLarge)
	_, err = h.Put(ctx, h.ann, -1, func() (tools.Upload, error) { return tools.Upload{}, errCut })
	if err == nil {
		t.Error("what was cut off was taken")
	}
	_, err = h.Put(ctx, "nobody", 1, body("a.csv", "x"))
	wantKind(t, err, tools.Forbidden)
	rec, err := h.app.FindRecordById(tools.Members, h.id("bob"))
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("status", "suspended")
	if err := h.app.Save(rec); err != nil {
		t.Fatal(err)
	}
	_, err = h.Put(ctx, rec.Id, 1, body("a.csv", "x"))
	wantKind(t, err, tools.Forbidden)
	if h.rowsThere() != 0 || len(h.kept()) != 0 {
		t.Errorf("something stayed: %d rows, %v", h.rowsThere(), h.kept())
	}
	if up, err := h.Put(ctx, h.ann, -1, body("a.csv", large(MaxBytes))); err != nil || up.Size != MaxBytes {
		t.Errorf("the largest: %v", err)
	} else if file, err := h.Read(ctx, h.ann, up.ID); err != nil || len(file.Data) != MaxBytes {
		t.Errorf("the largest is not read: %v", err)
	}
}

func TestRoom(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	for range MaxTotal / MaxBytes {
		h.put("a", large(MaxBytes))
	}
	_, err := h.Put(ctx, h.ann, 1, body("a", "x"))
	wantKind(t, err, tools.Limit)
	// What others have does not count, nor what has expired.
	if _, err := h.Put(ctx, h.id("bob"), 1, body("a", "x")); err != nil {
		t.Error(err)
	}
	h.now = h.now.Add(Lifetime)
	for range MaxFiles {
		h.put("a", "x")
	}
	_, err = h.Put(ctx, h.ann, 1, body("a", "x"))
	wantKind(t, err, tools.Limit)
	_, err = h.Link(ctx, tools.Actor{Person: h.ann}, LinkIn{})
	wantKind(t, err, tools.Limit)
}

// TestRoomAtOnce: those who come at the same time do not each find the last room.
func TestRoomAtOnce(t *testing.T) {
	h := newHome(t)
	for range MaxFiles - 1 {
		h.put("a", "x")
	}
	var taken sync.Map
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			if up, err := h.Put(t.Context(), h.ann, 1, body("a", "x")); err == nil {
				taken.Store(n, up.ID)
			} else if tools.KindOf(err) != tools.Limit {
				t.Error(err)
			}
		})
	}
	all.Wait()
	n := 0
	taken.Range(func(any, any) bool { n++; return true })
	if n != 1 || h.rowsThere() != MaxFiles {
		t.Errorf("%d found room, %d rows", n, h.rowsThere())
	}
}

func TestExpiry(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	up := h.put("a", "x")
	h.now = h.now.Add(Lifetime - time.Second)
	if err := h.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Read(ctx, h.ann, up.ID); err != nil {
		t.Errorf("it went too early: %v", err)
	}
	h.now = h.now.Add(time.Second)
	_, err := h.Read(ctx, h.ann, up.ID)
	wantKind(t, err, tools.NotFound)
	if err := h.Sweep(ctx); err != nil || h.rowsThere() != 0 || len(h.kept()) != 0 {
		t.Errorf("%v, %d rows, %v", err, h.rowsThere(), h.kept())
	}
}

// TestCrash: whatever a crash leaves goes, and nothing that is under way.
func TestCrash(t *testing.T) {
	h, ctx := newHome(t), t.Context()
	whole := h.put("a", "x")
	noFile := h.put("b", "x") // whose file is lost
	if err := h.remove(noFile.ID); err != nil {
		t.Fatal(err)
	}
	_, err := h.Read(ctx, h.ann, noFile.ID)
	wantKind(t, err, tools.NotFound)
	coming := h.put("c", "x") // killed between the file and the row's last change
	h.set(coming.ID, dbx.Params{"state": string(Coming), "expires": tools.Stamp(h.now.Add(comingTime))})
	_, err = h.Read(ctx, h.ann, coming.ID)
	wantKind(t, err, tools.Conflict)
	noRow := h.put("d", "x") // killed between deleting the row and the file
	if _, err := h.app.NonconcurrentDB().Delete(tools.UploadsTable, dbx.HashExp{"id": noRow.ID}).Execute(); err != nil {
		t.Fatal(err)
	}
	if err := h.Sweep(ctx); err != nil || len(h.kept()) != 3 {
		t.Errorf("swept what may be under way: %v %v", err, h.kept())
	}
	h.now = h.now.Add(2*comingTime + time.Minute)
	if err := h.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if kept := h.kept(); len(kept) != 1 || kept[0] != prefix+whole.ID {
		t.Errorf("kept %v", kept)
	}
	// A half that a crash left beside the whole is none of a row, and goes too.
	err = h.files(func(files *filesystem.System) error { return files.Upload([]byte("half"), prefix+whole.ID+".tmp") })
	if err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(2*comingTime + time.Minute)
	if err := h.Sweep(ctx); err != nil || len(h.kept()) != 1 {
		t.Errorf("%v %v", err, h.kept())
	}
}

// TestDeletedOnItsWay: a file that is deleted while it comes does not come back.
func TestDeletedOnItsWay(t *testing.T) {
	h := newHome(t)
	_, err := h.Put(t.Context(), h.ann, 1, func() (tools.Upload, error) {
		list, err := h.List(t.Context(), h.ann)
		if err != nil || len(list) != 1 || list[0].State != Coming {
			t.Errorf("%+v %v", list, err)
		}
		return tools.Upload{Name: "a", Data: []byte("x")}, h.Delete(t.Context(), h.ann, list[0].ID)
	})
	wantKind(t, err, tools.NotFound)
	if h.rowsThere() != 0 || len(h.kept()) != 0 {
		t.Error("something stayed")
	}
}

func TestGone(t *testing.T) {
	h := newHome(t)
	h.put("a", "x")
	h.link()
	if _, err := h.Put(t.Context(), h.id("bob"), 1, body("b", "x")); err != nil {
		t.Fatal(err)
	}
	ids, err := h.app.Runner.DropBooks(t.Context(), h.ann)
	if err != nil || len(ids) != 2 {
		t.Fatal(ids, err)
	}
	if err := h.Gone(ids); err != nil || h.rowsThere() != 1 || len(h.kept()) != 1 {
		t.Errorf("%v %d %v", err, h.rowsThere(), h.kept())
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"":                                "file",
		"..":                              "file",
		"../../etc/passwd":                "passwd",
		`..\..\boot.ini`:                  "boot.ini",
		"/":                               "file",
		".htaccess":                       "htaccess",
		"a\x00b\n.csv":                    "ab.csv",
		"umsätze  mai.csv":                "umsätze  mai.csv",
		"invoice\u202egnp.exe":            "invoicegnp.exe",
		"\xff\xfe.csv":                    "csv",
		strings.Repeat("ü", 200) + ".csv": strings.Repeat("ü", 58) + ".csv",
	} {
		if got := CleanName(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// TestTooLate: what comes when nobody waits for it any more is not taken.
func TestTooLate(t *testing.T) {
	h := newHome(t)
	late := func() (tools.Upload, error) {
		h.now = h.now.Add(comingTime)
		return tools.Upload{Name: "a", Data: []byte("x")}, nil
	}
	_, err := h.Put(t.Context(), h.ann, 1, late)
	wantKind(t, err, tools.NotFound)
	_, secret := h.link()
	_, err = h.Fill(t.Context(), secret, 1, late)
	wantKind(t, err, tools.NotFound)
	if len(h.kept()) != 0 {
		t.Errorf("%v", h.kept())
	}
	// The link is good for as long as it would have been.
	if _, err := h.Fill(t.Context(), secret, 1, body("a", "x")); err != nil {
		t.Error(err)
	}
}
