package hooks

import (
	"strconv"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
)

// limitSetting is one of the bounds of questions to assistants: a whole number,
// from least to most. Beyond most a limit would be none.
type limitSetting struct {
	name        string
	least, most int
	of          func(*assistant.Limits) int
	set         func(*assistant.Limits, int)
}

func limitSettings() []limitSetting {
	whole := func(name string, least, most int, at func(*assistant.Limits) *int) limitSetting {
		return limitSetting{name, least, most, func(l *assistant.Limits) int { return *at(l) }, func(l *assistant.Limits, n int) { *at(l) = n }}
	}
	seconds := func(name string, most int, at func(*assistant.Limits) *time.Duration) limitSetting {
		return limitSetting{
			name, 1, most, func(l *assistant.Limits) int { return int(*at(l) / time.Second) },
			func(l *assistant.Limits, n int) { *at(l) = time.Duration(n) * time.Second },
		}
	}
	return []limitSetting{
		whole("NODKEEP_TURN_CALLS", 1, 100, func(l *assistant.Limits) *int { return &l.Calls }),
		whole("NODKEEP_TURN_CHANGES", 1, 100, func(l *assistant.Limits) *int { return &l.Changes }),
		whole("NODKEEP_MESSAGE_BYTES", 100, 100_000, func(l *assistant.Limits) *int { return &l.Message }),
		whole("NODKEEP_RESULT_BYTES", 1000, 1_000_000, func(l *assistant.Limits) *int { return &l.Result }),
		seconds("NODKEEP_CALL_SECONDS", 3600, func(l *assistant.Limits) *time.Duration { return &l.Call }),
		seconds("NODKEEP_TURN_SECONDS", 3600, func(l *assistant.Limits) *time.Duration { return &l.Turn }),
		whole("NODKEEP_MESSAGE_BURST", 1, 1000, func(l *assistant.Limits) *int { return &l.Burst }),
		seconds("NODKEEP_MESSAGE_EVERY", 3600, func(l *assistant.Limits) *time.Duration { return &l.Every }),
	}
}

// limits reads the bounds of questions.
func (r *reading) limits() assistant.Limits {
	l := assistant.DefaultLimits()
	for _, s := range limitSettings() {
		s.set(&l, r.number(s.name, s.of(&l), s.least, s.most))
	}
	return l
}

// limitRows are those settings as operators see them.
func limitRows() (rows []settingRow) {
	for _, s := range limitSettings() {
		is := func(in settings) string { return strconv.Itoa(s.of(&in.Limits)) }
		rows = append(rows, settingRow{name: s.name, is: is, least: s.least, most: s.most})
	}
	return rows
}

// sayLimits puts what operators say in place of what is so by default, within
// what each may be.
func sayLimits(l *assistant.Limits, said func(name string) string) {
	for _, s := range limitSettings() {
		if n, err := strconv.Atoi(said(s.name)); err == nil {
			s.set(l, min(max(n, s.least), s.most))
		}
	}
}

// turnLimits are the bounds of a question that is asked now.
func (a *App) turnLimits() assistant.Limits { return a.inEffect().Limits }
