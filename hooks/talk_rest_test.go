package hooks

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/tools/logger"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestWordsAtRest: what is asked and answered stands in no file as it is: not in
// the database, its log, the log of the server, or a backup.
func TestWordsAtRest(t *testing.T) {
	k := newTalk(t)
	asked, answered, called, wrong := "ZebraQuestion", "ZebraAnswer", "ZebraCalled", "ZebraWrong"
	k.script.Then(
		gateway.Scene{Say: answered, Calls: calls(
			"household_subscription_list", `{"search":"`+called+`"}`, "ask_person", `{"questions":[{"text":"`+answered+`","choices":["`+answered+`"]}]}`,
			called, `{"`+called+`":"`+called+`"}`, "household_overview", `{"`+called+`":1}`,
		)},
		gateway.Scene{Say: answered, Err: &gateway.Error{Kind: gateway.BadRequest, Message: wrong + answered, Status: 400}},
		gateway.Scene{Say: answered, Err: io.ErrUnexpectedEOF},
	)
	h := k.ask("ann", assistant.Question{Text: asked})
	conversation := h.end.Conversation
	h = k.ask("ann", assistant.Question{Text: asked, Conversation: conversation})
	h = k.ask("ann", assistant.Question{Text: asked, Conversation: conversation})
	scene, begun := pausing(gateway.Scene{})
	k.script.Then(scene)
	turn, err := k.begin("ann", assistant.Question{Text: asked, Conversation: conversation})
	if err != nil {
		t.Fatal(err)
	}
	<-begun
	if status, a := k.web("POST", prefix+"/ask", k.token("ann"), `{"client_id":"q","text":"`+asked+strings.Repeat("x", 5000)+`"}`); status != 413 {
		t.Error(a)
	}
	if err := k.pb.CreateBackup(t.Context(), "it.zip"); err != nil {
		t.Fatal(err)
	}
	if err := k.loop.Stop(t.Context(), k.user("ann").Id, turn.ID()); err != nil {
		t.Fatal(err)
	}
	k.follow(turn)
	if log, ok := k.pb.Logger().Handler().(*logger.BatchHandler); !ok || log.WriteAll(t.Context()) != nil {
		t.Error("the log is not written")
	}
	files := 0
	look := func(name string, b []byte) {
		files++
		for _, words := range []string{asked, answered, called} {
			if i := bytes.Index(b, []byte(words)); i >= 0 {
				t.Errorf("%s has %s: %q", name, words, b[max(0, i-200):min(len(b), i+200)])
			}
		}
	}
	err = filepath.WalkDir(filepath.Dir(k.DataDir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if look(path, b); strings.HasSuffix(path, ".zip") {
			z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				return err
			}
			for _, f := range z.File {
				r, err := f.Open()
				if err != nil {
					return err
				}
				b, err := io.ReadAll(r)
				if err != nil {
					return err
				}
				look(path+"/"+f.Name, b)
			}
		}
		return nil
	})
	t.Log(files, " files")
	if err != nil || files < 5 {
		t.Error(files, err)
	}
	for _, out := range []string{k.out.String(), k.err.String()} {
		look("what it printed", []byte(out))
	}
}
