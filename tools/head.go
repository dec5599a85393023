package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/pocketbase/dbx"
)

// head is the newest entry that is known outside the database: a tail that was
// cut off is missed.
type head struct {
	Seq int64  `db:"seq"`
	MAC string `db:"mac"`
}

// headLine is the length of the head file: one line, always the same length,
// so that one write replaces it whole.
const headLine = 96

// lostHead stands for a head that is missing or damaged: nothing follows it, and
// nothing here makes up a new one. Writes go on, verify tells, and the operator
// accepts.
var lostHead = head{Seq: -1}

// readHead reads the head file; ok is false where there is none. A damaged one
// is lostHead.
func readHead(path string) (h head, ok bool, err error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return head{}, false, nil
	}
	if err != nil {
		return lostHead, true, nil // there is something, and it is no head
	}
	seq, mac, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	if h.Seq, err = strconv.ParseInt(seq, 10, 64); err != nil || h.Seq < 0 || (h.Seq > 0 && len(mac) != 64) {
		return lostHead, true, nil
	}
	h.MAC = mac
	return h, true, nil
}

func writeHead(path string, h head) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("write the head of the audit chain: %w", err)
	}
	line := fmt.Sprintf("%d %s", h.Seq, h.MAC)
	_, err = f.WriteAt([]byte(line+strings.Repeat(" ", max(0, headLine-1-len(line)))+"\n"), 0)
	return errors.Join(err, f.Close())
}

// load reads the head once, and moves it over entries that were committed
// right before a crash: valid ones, each following the other.
func (c *chain) load() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded {
		return nil
	}
	h, ok, err := readHead(c.path)
	if err != nil {
		return err
	}
	if !ok {
		var n int
		if err := c.app.ConcurrentDB().Select("count(*)").From(auditTable).Row(&n); err != nil {
			return err
		}
		if n > 0 {
			h = lostHead
		} else if err := writeHead(c.path, h); err != nil {
			return err
		}
	}
	c.head, c.waiting, c.loaded = h, map[string]head{}, true
	return c.catchUp()
}

// has says that h is an entry of the chain.
func (c *chain) has(h head) bool {
	var at string
	err := c.app.ConcurrentDB().Select("mac").From(auditTable).Where(dbx.HashExp{"seq": h.Seq}).Row(&at)
	return err == nil && at == h.MAC
}

func (c *chain) catchUp() error {
	if c.head.Seq < 0 {
		return nil
	}
	var rows []auditRow
	err := c.app.ConcurrentDB().Select("*").From(auditTable).
		Where(dbx.NewExp("seq > {:s}", dbx.Params{"s": c.head.Seq})).OrderBy("seq").All(&rows)
	if err != nil || len(rows) == 0 {
		return err
	}
	if c.head.Seq > 0 && !c.has(c.head) {
		return nil // not our chain's head: it stays, verify tells
	}
	for _, w := range rows {
		if w.Seq != c.head.Seq+1 || c.mac(w.Seq, w.ID, w.At, w.Kind, w.Commitment, c.head.MAC) != w.MAC {
			return nil
		}
		c.head = head{w.Seq, w.MAC}
	}
	return writeHead(c.path, c.head)
}

// advance moves the head to an entry whose predecessor it is. Commits can be
// told out of order; one that comes early waits.
func (c *chain) advance(prev string, next head) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting[prev] = next
	moved := false
	for {
		h, ok := c.waiting[c.head.MAC]
		if !ok || c.head.Seq < 0 || h.Seq != c.head.Seq+1 {
			break
		}
		delete(c.waiting, c.head.MAC)
		c.head, moved = h, true
	}
	if !moved {
		if len(c.waiting) > 1000 {
			clear(c.waiting) // the head is stuck until the operator says so
		}
		return nil
	}
	return writeHead(c.path, c.head)
}
