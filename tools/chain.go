package tools

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// chain is the audit: entries in order, each with a MAC over its skeleton, its
// commitment and the entry before it.
type chain struct {
	app  core.App
	key  []byte
	path string // of the head file
	log  *slog.Logger
	told func(entry string) // of what changed records, once committed; may be nil

	mu      sync.Mutex
	loaded  bool
	head    head
	waiting map[string]head // committed, but not next to the head yet, by predecessor
}

// append writes an entry that comes alone, and moves the head after the commit.
func (r *Runner) append(tx core.App, e *entry, steps []step) error {
	move, err := r.chain.append(tx, e, steps)
	if err != nil {
		return err
	}
	tx.TxInfo().OnComplete(func(txErr error) error {
		if txErr == nil {
			move()
		}
		return nil
	})
	return nil
}

// append writes an entry and its steps, in the transaction of the change. It
// answers what moves the head once that is committed.
func (c *chain) append(tx core.App, e *entry, steps []step) (move func(), err error) {
	if err := c.load(); err != nil {
		return nil, err
	}
	prev, err := last(tx)
	if err != nil {
		return nil, err
	}
	e.ID, e.Seq = core.GenerateDefaultRandomId(), prev.Seq+1
	e.At = ParseStamp(Stamp(e.At))
	rows, err := stepRows(tx, e.ID, steps)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, 16)
	rand.Read(salt) // never fails
	e.Salt = hex.EncodeToString(salt)
	e.Commitment = commitment(e.Salt, e.payload(), rows)
	e.MAC = c.mac(e.Seq, e.ID, Stamp(e.At), string(e.Kind), e.Commitment, prev.MAC)
	if _, err := tx.NonconcurrentDB().Insert(auditTable, e.row()).Execute(); err != nil {
		return nil, fmt.Errorf("audit entry: %w", err)
	}
	if err := insertSteps(tx, rows); err != nil {
		return nil, fmt.Errorf("audit steps: %w", err)
	}
	next, before := head{e.Seq, e.MAC}, prev.MAC
	return func() {
		// What is committed is done: a head that could not be written is
		// caught up with later.
		if err := c.advance(before, next); err != nil {
			c.log.Error("the head of the audit chain stays behind", "error", err)
		}
		if c.told != nil && len(rows) > 0 {
			c.told(e.ID)
		}
	}, nil
}

// CheckKey says whether the key is that of the history that is there. With
// another, every entry would look forged, and new ones would not follow.
func (r *Runner) CheckKey() error {
	var rows []auditRow
	err := r.app.ConcurrentDB().Select("*").From(auditTable).OrderBy("seq DESC").Limit(checked + 1).All(&rows)
	if err != nil || len(rows) == 0 {
		return err
	}
	rows = append(rows, auditRow{})
	for i, w := range rows[:len(rows)-1] {
		if prev := rows[i+1]; w.Seq == prev.Seq+1 && r.chain.mac(w.Seq, w.ID, w.At, w.Kind, w.Commitment, prev.MAC) == w.MAC {
			return nil
		}
	}
	return fmt.Errorf("the key does not fit the audit of this data folder: restore its key file %s, or set NODKEEP_ENCRYPTION_KEY to what it was", KeyFile(r.app.DataDir()))
}

// checked is how many entries must not fit before a key counts as another: one
// that does not fit may have been tampered with, which verify tells.
const checked = 20

// last is the newest entry, as the transaction sees it.
func last(tx core.App) (head, error) {
	var h []head
	err := tx.DB().Select("seq", "mac").From(auditTable).OrderBy("seq DESC").Limit(1).All(&h)
	if err != nil || len(h) == 0 {
		return head{}, err
	}
	return h[0], nil
}

func (c *chain) mac(seq int64, id, at, kind, commitment, prev string) string {
	return hex.EncodeToString(mac(c.key, "entry", strconv.FormatInt(seq, 10), id, at, kind, commitment, prev))
}

// commitment binds an entry to its payload without telling it: with the salt
// gone, nobody can find out what it was.
func commitment(salt string, payload []string, steps []stepRow) string {
	parts := append([]string{strconv.Itoa(len(payload))}, payload...)
	for i := range steps {
		parts = append(parts, steps[i].parts()...)
	}
	return hex.EncodeToString(mac([]byte(salt), parts...))
}

// insertSteps writes many rows in few statements.
func insertSteps(tx core.App, rows []stepRow) error {
	const batch = 100
	for len(rows) > 0 {
		n := min(batch, len(rows))
		var sql strings.Builder
		sql.WriteString("INSERT INTO {{" + stepsTable + "}} ([[entry]],[[n]],[[op]],[[collection]],[[record]],[[before]],[[after]],[[files]]) VALUES ")
		params := make(dbx.Params, n*8)
		for i, w := range rows[:n] {
			if i > 0 {
				sql.WriteByte(',')
			}
			p := strconv.Itoa(i)
			sql.WriteString("({:e" + p + "},{:n" + p + "},{:o" + p + "},{:c" + p + "},{:r" + p + "},{:b" + p + "},{:a" + p + "},{:f" + p + "})")
			params["e"+p], params["n"+p], params["o"+p], params["c"+p] = w.Entry, w.N, w.Op, w.Collection
			params["r"+p], params["b"+p], params["a"+p], params["f"+p] = w.Record, w.Before, w.After, w.Files
		}
		if _, err := tx.NonconcurrentDB().NewQuery(sql.String()).Bind(params).Execute(); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
