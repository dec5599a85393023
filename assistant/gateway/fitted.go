package gateway

import (
	"encoding/json/jsontext"
	"sync"
)

// mostFitted is how many schemas are kept: more than there are tools.
const mostFitted = 1000

// fitted keeps the schemas of tools as one host takes them: they are the same in
// every request, and to take them apart costs more than all the rest.
type fitted struct {
	mu  sync.Mutex
	all map[string]jsontext.Value
}

// of is a schema as the host takes it. The keywords are those of one host.
func (f *fitted) of(schema jsontext.Value, k keywords) jsontext.Value {
	if f == nil {
		return k.fitting(schema)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if known, ok := f.all[string(schema)]; ok {
		return known
	}
	if f.all == nil || len(f.all) == mostFitted {
		f.all = map[string]jsontext.Value{}
	}
	made := k.fitting(schema)
	f.all[string(schema)] = made
	return made
}
