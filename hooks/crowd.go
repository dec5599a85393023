package hooks

import (
	"net/netip"
	"time"
)

// crowd bounds what strangers may do at a time, so that members notice nothing
// of how many they are.
type crowd struct {
	tries    *limiter           // of signing up
	hashing  *queue             // a place for each new password that is hashed
	signing  held[netip.Prefix] // who waits to sign in
	checking *queue             // a place for each password or code that is checked
	held     held[netip.Prefix] // answers that wait for their moment
	evenly   time.Duration      // how far such moments are apart
	decoys   decoys             // for addresses that have no account
}

// mostHashing is how many wait at a time for a new password to be hashed.
const mostHashing = 50

func newCrowd() crowd {
	return crowd{
		tries:    newLimiter(signUpTries, signUpWindow, signUpNetworks, time.Now),
		hashing:  newQueue(maxHashing, mostHashing),
		checking: newQueue(maxChecking(), mostSigning),
		evenly:   evenly,
	}
}
