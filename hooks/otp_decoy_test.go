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
		{users, "ann@example.com"},
		{users, "nobody@example.com"},
		{users, "bob@example.com"},
		{core.CollectionNameSuperusers, "root@example.com"},
		{core.CollectionNameSuperusers, "nobody@example.com"},
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

// TestWrongCodesAreAnsweredAlike: PocketBase refuses the sixth for an id that it
// has with another error.
func TestWrongCodesAreAnsweredAlike(t *testing.T) {
	i := newInstance(t)
	i.evenly = time.Millisecond
	i.change(users, func(c *core.Collection) { c.OTP.Enabled = true })
	i.pb.OnMailerSend().BindFunc(func(*core.MailerEvent) error { return nil })
	var said []string
	for _, address := range []string{"ann@example.com", "nobody@example.com"} {
		status, a := i.web("POST", "/api/collections/users/request-otp", "", `{"email":"`+address+`"}`)
		want(t, status, a, 200, "")
		var all string
		for range 7 {
			status, a := i.web("POST", "/api/collections/users/auth-with-otp", "", `{"otpId":"`+a.str("otpId")+`","password":"wrong"}`)
			all += fmt.Sprintln(status, a)
		}
		said = append(said, all)
	}
	if said[0] != said[1] {
		t.Errorf("%s%s", said[0], said[1])
	}
	// The code is refused from then on, also the right one.
	otps, err := i.pb.FindAllOTPsByRecord(i.user("ann"))
	if err != nil || len(otps) != 1 {
		t.Fatal(otps, err)
	}
	otps[0].SetPassword("12345678")
	if err := i.pb.Save(otps[0]); err != nil {
		t.Fatal(err)
	}
	if status, a := i.web("POST", "/api/collections/users/auth-with-otp", "", `{"otpId":"`+otps[0].Id+`","password":"12345678"}`); status != 400 {
		t.Error(status, a)
	}
}
