package mcp

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/tools"
)

const (
	// maxSubscribed bounds what a token listens to at a time.
	maxSubscribed = 1000
	// maxTold bounds the entries that are looked at for one notice: the newest.
	maxTold = 500
	// noticeTime bounds the look at what happened.
	noticeTime = 20 * time.Second
)

// notices collect audit entries for a moment, so that a burst of changes is
// told once.
type notices struct {
	mu      sync.Mutex
	entries []string
	timer   *time.Timer
	closed  bool
}

func (n *notices) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	if n.timer != nil {
		n.timer.Stop()
	}
}

// Committed takes note of an audit entry that changed records. It waits for
// nothing.
func (d *Door) Committed(entry string) {
	d.notice.mu.Lock()
	defer d.notice.mu.Unlock()
	if d.notice.closed {
		return
	}
	if d.notice.entries == nil {
		d.notice.timer = time.AfterFunc(d.c.Settle, d.tell)
	}
	d.notice.entries = append(d.notice.entries, entry)
	if over := len(d.notice.entries) - maxTold; over > 0 {
		d.notice.entries = d.notice.entries[over:]
	}
}

// tell tells the tokens of each person what changed of that which the person
// may see.
func (d *Door) tell() {
	d.notice.mu.Lock()
	entries := d.notice.entries
	d.notice.entries = nil
	d.notice.mu.Unlock()
	people := map[string][]*seat{}
	d.mu.Lock()
	for _, s := range d.seats {
		if s.listens() {
			people[s.person] = append(people[s.person], s)
		}
	}
	d.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), noticeTime)
	defer cancel()
	for _, seats := range people {
		seen, err := d.touched(ctx, seats[0].actor(), entries)
		if err != nil {
			d.c.Log.Warn("what changed could not be looked at for a notice", "kind", tools.KindOf(err))
			continue
		}
		for _, s := range seats {
			s.tell(s.concerned(seen))
		}
	}
}

// tell sends notices to a token's sessions. One that does not read keeps the
// others waiting no longer than a write may take, and the next notices are sent
// once.
func (s *seat) tell(uris []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.untold == nil {
		s.untold = map[string]bool{}
	}
	for _, uri := range uris {
		s.untold[uri] = true
	}
	if !s.telling && len(s.untold) > 0 {
		s.telling = true
		go s.tellAll()
	}
}

func (s *seat) tellAll() {
	for {
		s.mu.Lock()
		uris := slices.Sorted(maps.Keys(s.untold))
		clear(s.untold)
		s.telling = len(uris) > 0
		s.mu.Unlock()
		if len(uris) == 0 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), noticeTime)
		for _, uri := range uris {
			_ = s.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // who is gone hears nothing
		}
		cancel()
	}
}

// touched is what a person sees changed.
type touched struct {
	ids     map[string]bool // of records, and of what they were linked to
	plugins map[string]bool // whose records they are
	some    bool
}

// touched looks what a person sees changed by entries.
func (d *Door) touched(ctx context.Context, who tools.Actor, entries []string) (touched, error) {
	changes, err := d.c.Runner.Changed(ctx, who, entries...)
	if err != nil {
		return touched{}, err
	}
	seen := touched{map[string]bool{}, map[string]bool{}, len(changes) > 0}
	for _, c := range changes {
		seen.ids[c.ID] = true
		for _, values := range []map[string]any{c.Before, c.After, c.Now} {
			addLinked(seen.ids, values)
		}
		for _, p := range d.c.Registry.Plugins() {
			if strings.HasPrefix(c.Collection, p.Name()+"_") {
				seen.plugins[p.Name()] = true
			}
		}
	}
	return seen, nil
}

// recordID is an id as PocketBase makes it.
var recordID = regexp.MustCompile(`\b[a-z0-9]{15}\b`)

// addLinked adds the ids among values: those of relations, and at worst a word
// of that length, which nothing has for its address.
func addLinked(ids map[string]bool, values map[string]any) {
	for _, v := range values {
		text, ok := v.(string)
		if !ok || len(text) > 10_000 || (len(text) != 15 && !strings.HasPrefix(text, "[")) {
			continue
		}
		for _, id := range recordID.FindAllString(text, -1) {
			ids[id] = true
		}
	}
}

// subscribe lets an agent listen to what it may read.
func (s *seat) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	ctx, a, err := s.who(ctx, req.Extra)
	if err != nil {
		return s.door.protocol(err)
	}
	uri := req.Params.URI
	if uri != contextURI {
		if _, err := s.lookUp(ctx, a, uri); err != nil {
			return s.door.missing(uri, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.subscribed[uri] && len(s.subscribed) >= maxSubscribed {
		return s.door.protocol(tools.Fail(tools.Limit, "mcp.subscribed", maxSubscribed))
	}
	if s.subscribed == nil {
		s.subscribed = map[string]bool{}
	}
	s.subscribed[uri] = true
	s.last = s.door.c.Now()
	return nil
}

// listens says that somebody may be waiting for a notice.
func (s *seat) listens() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.subscribed) == 0 {
		return false
	}
	for range s.server.Sessions() {
		return true
	}
	s.subscribed = nil // all who asked are gone
	return false
}

func (s *seat) actor() tools.Actor {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.agent.Actor
}

// concerned are the addresses that a change concerns: the context by any, a list
// by one in its plugin, the others by the ids that they hold.
func (s *seat) concerned(seen touched) (uris []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri := range s.subscribed {
		parts := strings.Split(strings.TrimPrefix(uri, tools.Scheme), "/")
		list := s.resources[uri] // an address without variables
		if (uri == contextURI && seen.some) || (list && seen.plugins[parts[0]]) || slices.ContainsFunc(parts, func(part string) bool { return seen.ids[part] }) {
			uris = append(uris, uri)
		}
	}
	slices.Sort(uris)
	return uris
}
