package hooks

import (
	"fmt"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
)

// TestCodesAreAnsweredAlike also to who asks for many: PocketBase makes ten and
// then repeats the last, of which an address without an account knew nothing.
func TestCodesAreAnsweredAlike(t *testing.T) {
	i := newInstance(t)
	i.evenly = time.Millisecond
	i.change(users, func(c *core.Collection) { c.OTP.Enabled = true })
	// Mails that fail would take their codes with them.
	i.pb.OnMailerSend().BindFunc(func(*core.MailerEvent) error { return nil })
	i.stand("bob", "suspended")
	i.superuser()
	i.change(core.CollectionNameSuperusers, func(c *core.Collection) { c.OTP.Enabled = true })
	for _, row := range [][2]string{
		{users, "ann@example.com"}, {users, "nobody@example.com"}, {users, "bob@example.com"},
		{core.CollectionNameSuperusers, "root@example.com"}, {core.CollectionNameSuperusers, "nobody@example.com"},
	} {
		ids := map[string]int{}
		var last string
		for range mostCodes + 3 {
			status, a := i.web("POST", "/api/collections/"+row[0]+"/request-otp", "", `{"email":"`+row[1]+`"}`)
			want(t, status, a, 200, "")
			last = a.str("otpId")
			ids[last]++
		}
		if len(ids) != mostCodes || ids[last] != 4 {
			t.Errorf("%s: %v", row, ids)
		}
	}
}

func TestDecoys(t *testing.T) {
	var d decoys
	now := time.Now()
	var ids []string
	for range mostCodes {
		ids = append(ids, d.next("A@example.com", time.Minute, now))
	}
	if got := d.next("a@example.com", time.Minute, now); got != ids[mostCodes-1] {
		t.Error("the last is not repeated")
	}
	if got := d.next("a@example.com", time.Minute, now.Add(2*time.Minute)); got == ids[mostCodes-1] {
		t.Error("it is repeated for ever")
	}
	for n := range 3 * mostDecoys {
		d.next(fmt.Sprint(n), time.Minute, now)
	}
	if len(d.of) > mostDecoys {
		t.Errorf("%d are remembered", len(d.of))
	}
}
