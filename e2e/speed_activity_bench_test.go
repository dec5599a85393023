package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
)

const (
	manyEntries = 10_000
	worstFrame  = 50.0            // milliseconds, of all frames but one in a hundred
	enoughTime  = 2 * time.Minute // to scroll through all of it on a machine that has little time
)

// BenchmarkActivity: 10,000 entries scroll past, with the wheel, without a frame that one notices.
func BenchmarkActivity(b *testing.B) {
	i := serve(b)
	i.entries("ana", manyEntries)
	for b.Loop() {
		w := i.signIn("ana", phone)
		w.visit("#/activity")
		w.see("Activity")
		w.until("rows", `document.querySelectorAll(".activity-row").length`)
		// What frames take while nothing happens is told, too: it is the machine's own part of the figure.
		w.run(`(async () => { window.idle = []; let last = performance.now(); for (let n = 0; n < 120; n++) { const now = await new Promise(requestAnimationFrame); idle.push(now - last); last = now } })()`)
		idle := eval[[]float64](w, "idle")
		slices.Sort(idle)
		w.run(`(() => { window.frames = []; window.seen = new Set(); let last = performance.now()
			const count = (list) => list.forEach((e) => seen.add(e.getAttribute("href")))
			const frame = (now) => { frames.push(now - last); last = now; requestAnimationFrame(frame) }
			requestAnimationFrame(frame)
			new MutationObserver((all) => all.forEach((m) => m.addedNodes.forEach((e) => e.querySelectorAll && count(e.querySelectorAll(".activity-row"))))).observe(document.querySelector(".activity-list"), { childList: true, subtree: true })
			count(document.querySelectorAll(".activity-row")) })()`)
		rows := 0
		for end := time.Now().Add(enoughTime); time.Now().Before(end) && rows < manyEntries; {
			for range 10 {
				command(w, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: 180, Y: 400, DeltaX: 0.01, DeltaY: 2000})
			}
			rows = eval[int](w, "seen.size")
		}
		frames := eval[[]float64](w, "frames")
		nodes := eval[int](w, `document.querySelectorAll("*").length`)
		w.keep("end")
		slices.Sort(frames)
		p99 := frames[len(frames)*99/100]
		b.Logf("%d rows, %d frames, %d elements at the end; %.0f ms at the 99th percentile and %.0f at most, %.0f and %.0f while nothing happened",
			rows, len(frames), nodes, p99, frames[len(frames)-1], idle[len(idle)*99/100], idle[len(idle)-1])
		b.ReportMetric(float64(rows), "rows")
		b.ReportMetric(idle[len(idle)*99/100], "ms-idle-p99")
		b.ReportMetric(frames[len(frames)/2], "ms-p50")
		b.ReportMetric(p99, "ms-p99")
		b.ReportMetric(frames[len(frames)-1], "ms-max")
		if p99 > worstFrame {
			b.Errorf("a frame took %.0f ms at the 99th percentile, limit %.0f", p99, worstFrame)
		}
		if rows < manyEntries {
			b.Errorf("%d rows came within %s, there are %d", rows, enoughTime, manyEntries)
		}
	}
}

// entries makes so many entries as people do, by tools, over several connections.
func (i *instance) entries(who string, n int) {
	i.t.Helper()
	const workers = 4
	token := i.token(who)
	var all sync.WaitGroup
	for k := range workers {
		all.Go(func() {
			call := func(tool string, args any) (answer struct {
				Output struct{ ID string }
			},
			) {
				body, _ := json.Marshal(args)
				req, err := http.NewRequest("POST", i.base+"/api/nodkeep/tools/"+tool, strings.NewReader(string(body)))
				if err != nil {
					i.t.Error(err)
					return
				}
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Authorization", token)
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					i.t.Error(err)
					return
				}
				defer resp.Body.Close()
				if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != http.StatusOK {
					i.t.Errorf("%s: %d %v", tool, resp.StatusCode, err)
				}
				return answer
			}
			var pots []string
			for n := range n / workers { // on a hundred records
				if i.t.Failed() {
					return
				}
				name := fmt.Sprintf("Pot %d of %d", n, k)
				if len(pots) < 100/workers {
					pots = append(pots, call("household_category_add", map[string]string{"name": name}).Output.ID)
					continue
				}
				call("household_category_update", map[string]string{"id": pots[n%len(pots)], "name": name})
			}
		})
	}
	all.Wait()
	if i.t.Failed() {
		i.t.FailNow()
	}
}
