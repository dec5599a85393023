package hooks

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
)

const (
	// mostCodes is how many codes PocketBase makes for an account until the first
	// has expired; to who asks for more it answers the id of the last.
	mostCodes = 10
	// mostDecoys is how many addresses are remembered.
	mostDecoys = 10_000
)

// decoys answer who asks for codes for an address that has no account as for one
// that has: that its ids go on being new would tell it from the others. Its zero
// value is ready.
type decoys struct {
	mu sync.Mutex
	of map[[sha256.Size]byte][]decoy
}

type decoy struct {
	id string
	at time.Time
}

// bindDecoys comes late: an app's own hook may yet find an account.
func (a *App) bindDecoys() {
	const late = 999
	a.pb.OnRecordRequestOTPRequest().Bind(&hook.Handler[*core.RecordCreateOTPRequestEvent]{Id: "nodkeepDecoy", Priority: late, Func: func(e *core.RecordCreateOTPRequestEvent) error {
		if e.Record != nil {
			return e.Next()
		}
		info, err := e.RequestInfo()
		if err != nil {
			return err
		}
		address, _ := info.Body[core.FieldNameEmail].(string)
		id := a.decoys.next(e.Collection.Id+" "+address, e.Collection.OTP.DurationTime(), time.Now())
		return e.JSON(http.StatusOK, map[string]string{"otpId": id})
	}})
}

// next is the id to answer; lasting is how long a code does.
func (d *decoys) next(address string, lasting time.Duration, now time.Time) string {
	key := sha256.Sum256([]byte(strings.ToLower(address)))
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.of[key]
	for len(all) > 0 && now.Sub(all[0].at) > lasting {
		all = all[1:]
	}
	if len(all) < mostCodes {
		all = append(all, decoy{core.GenerateDefaultRandomId(), now})
	}
	if d.of == nil || len(d.of) >= mostDecoys {
		d.of = map[[sha256.Size]byte][]decoy{}
	}
	d.of[key] = all
	return all[len(all)-1].id
}
