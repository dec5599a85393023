package household

import (
	"testing"
	"time"
)

// The wall clock is what people mean; where it skips or doubles an hour there
// is still one moment.
func TestReminderHour(t *testing.T) {
	rows := []struct {
		zone, day string
		hour      int
		want      string
	}{
		{"Europe/Berlin", "2026-01-15", 9, "2026-01-15T08:00:00Z"},
		{"Europe/Berlin", "2026-07-15", 9, "2026-07-15T07:00:00Z"},
		{"Europe/Berlin", "2026-03-29", 2, "2026-03-29T01:00:00Z"}, // 02:00 does not exist: 03:00 summer time
		{"Europe/Berlin", "2026-03-29", 3, "2026-03-29T01:00:00Z"},
		{"Europe/Berlin", "2026-10-25", 2, "2026-10-25T00:00:00Z"}, // 02:00 comes twice: the first
		{"Europe/Berlin", "2026-10-25", 3, "2026-10-25T02:00:00Z"},
		{"America/New_York", "2026-03-08", 2, "2026-03-08T07:00:00Z"},
		{"America/New_York", "2026-11-01", 1, "2026-11-01T05:00:00Z"},
		{"Australia/Lord_Howe", "2026-10-04", 2, "2026-10-03T15:30:00Z"}, // by half an hour, to 02:30
		{"Australia/Lord_Howe", "2026-04-05", 2, "2026-04-04T15:30:00Z"}, // 02:00 standard time, 01:30 having come twice
		{"America/Santiago", "2026-09-06", 0, "2026-09-06T04:00:00Z"},    // midnight itself is skipped
		{"Pacific/Apia", "2011-12-30", 9, "2011-12-30T10:00:00Z"},        // a whole day is skipped
		{"Asia/Kathmandu", "2026-05-01", 9, "2026-05-01T03:15:00Z"},
		{"UTC", "2026-05-01", 0, "2026-05-01T00:00:00Z"},
	}
	for _, r := range rows {
		zone, err := time.LoadLocation(r.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(date(r.day), r.hour, zone).Format(time.RFC3339); got != r.want {
			t.Errorf("%s %s %02d:00 is %s, want %s", r.zone, r.day, r.hour, got, r.want)
		}
	}
}
