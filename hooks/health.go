package hooks

import (
	"context"
	"encoding/json/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// How something is that health looked at.
const (
	healthOK    = "ok"
	healthWeak  = "weak"  // all works, but somebody could make use of it
	healthWrong = "wrong" // it does not work as it should
)

// health is how the instance is, as operators see it in a browser: what doctor finds,
// without paths, addresses and commands, which are for who runs the machine.
type health struct {
	Version string        `json:"version"`
	Checks  []healthCheck `json:"checks"`
	Backups backupHealth  `json:"backups"`
	Disk    diskHealth    `json:"disk"`
	Asked   []askedOf     `json:"assistants"` // the questions since then, by assistant
	Since   time.Time     `json:"since"`
}

// healthCheck is all that doctor finds under one name, by the worst of it.
type healthCheck struct {
	Name  string     `json:"name"`
	State string     `json:"state"` // ok, weak or wrong
	Says  tools.Text `json:"says"`
	Count int        `json:"count"` // how many there are of that state
}

type backupHealth struct {
	Cron  string    `json:"cron,omitzero"` // when they are made; none by themselves without it
	Keep  int       `json:"keep,omitzero"` // how many are kept; 0 is all
	Away  bool      `json:"away"`          // they lie somewhere else, where the server does not look
	Count int       `json:"count"`
	Last  time.Time `json:"last,omitzero"`
	Size  int64     `json:"size,omitzero"` // of the last, in bytes
}

type diskHealth struct {
	Database int64 `json:"database"`      // bytes that the database takes
	Free     int64 `json:"free,omitzero"` // bytes that are free where it lies, where that is known
}

// getHealth answers operators how the instance is.
func (a *App) getHealth(e *core.RequestEvent) (any, error) {
	if _, err := a.operatorOf(e); err != nil {
		return nil, err
	}
	found, err := a.findings(e)
	if err != nil {
		return nil, err
	}
	out := health{Version: version(), Checks: a.healthChecks(found), Since: a.clock().Add(-askedTime).UTC().Truncate(time.Second)}
	if out.Backups, err = a.backupHealth(); err != nil {
		return nil, err
	}
	if out.Disk, err = diskOf(a.dir); err != nil {
		return nil, err
	}
	out.Asked, err = a.askedSince(e.Request.Context(), out.Since)
	return out, err
}

// clock is the time, as the tools have it.
func (a *App) clock() time.Time {
	if a.now != nil {
		return a.now()
	}
	return time.Now()
}

// healthChecks are the findings without what they say to who runs the machine, one
// for each name: what is wrong first.
func (a *App) healthChecks(found []check) []healthCheck {
	order := []string{healthWrong, healthWeak, healthOK}
	worst := func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) }
	var all []healthCheck
	for _, c := range found {
		one := healthCheck{Name: strings.ReplaceAll(c.Name, "-", "_"), State: c.state(), Count: 1}
		n := slices.IndexFunc(all, func(has healthCheck) bool { return has.Name == one.Name })
		switch {
		case n < 0:
			all = append(all, one)
		case all[n].State == one.State:
			all[n].Count++
		case worst(one.State, all[n].State) < 0:
			all[n] = one
		}
	}
	known := a.catalogue.Keys()
	for n, c := range all {
		key := "health." + c.Name + "." + c.State
		if !slices.Contains(known, key) {
			key = "health.other." + c.State
		}
		all[n].Says = tools.T(key, c.Count)
	}
	slices.SortStableFunc(all, func(a, b healthCheck) int { return worst(a.State, b.State) })
	return all
}

func (c check) state() string {
	switch {
	case c.wrong():
		return healthWrong
	case c.Weak:
		return healthWeak
	}
	return healthOK
}

// backupHealth looks at the backups on this machine. A store elsewhere is not asked:
// nothing leaves the instance because somebody opens a page.
func (a *App) backupHealth() (backupHealth, error) {
	is := a.pb.Settings().Backups
	out := backupHealth{Cron: is.Cron, Keep: is.CronMaxKeep, Away: is.S3.Enabled}
	if out.Away {
		return out, nil
	}
	there, err := filepath.Glob(filepath.Join(a.dir, core.LocalBackupsDirName, "*.zip"))
	if err != nil {
		return out, err
	}
	for _, path := range there {
		info, err := os.Stat(path)
		if err != nil {
			continue // deleted meanwhile
		}
		out.Count++
		if at := info.ModTime().UTC().Truncate(time.Second); at.After(out.Last) {
			out.Last, out.Size = at, info.Size()
		}
	}
	return out, nil
}

// diskOf says what the database takes, with what was not written into it yet.
func diskOf(dir string) (out diskHealth, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.db*"))
	for _, path := range files {
		if info, failed := os.Stat(path); failed == nil {
			out.Database += info.Size()
		}
	}
	out.Free = free(dir)
	return out, err
}

// askedTime is how far back health looks for questions that failed, and askedMost how
// many of them at most.
const (
	askedTime = 7 * 24 * time.Hour
	askedMost = 2000
)

// askedOf is how questions to an assistant went.
type askedOf struct {
	Assistant string    `json:"assistant"`
	Asked     int       `json:"asked"`
	Failed    int       `json:"failed"`
	Last      time.Time `json:"last,omitzero"` // when one failed last
}

// askedSince counts them from the audit, by assistant, and those that failed most first.
func (a *App) askedSince(ctx context.Context, since time.Time) ([]askedOf, error) {
	questions, err := a.runner.Questions(ctx, since, askedMost)
	if err != nil {
		return nil, err
	}
	all := []askedOf{}
	for _, q := range questions {
		var of struct {
			Assistant string `json:"assistant"`
		}
		if json.Unmarshal(q.Facts, &of) != nil || of.Assistant == "" {
			continue // of one whose facts were erased nothing is left to count
		}
		n := slices.IndexFunc(all, func(has askedOf) bool { return has.Assistant == of.Assistant })
		if n < 0 {
			n, all = len(all), append(all, askedOf{Assistant: of.Assistant})
		}
		all[n].Asked++
		if q.Failed {
			all[n].Failed++
			if q.At.After(all[n].Last) {
				all[n].Last = q.At
			}
		}
	}
	slices.SortStableFunc(all, func(a, b askedOf) int { return b.Failed - a.Failed })
	return all, nil
}
