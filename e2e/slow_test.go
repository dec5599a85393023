package e2e

import (
	"os"
	"strconv"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
)

// slower is how many times slower every window is than this machine, as E2E_SLOW says: its
// processor, and 25 milliseconds of that for each request. What a page shows for a moment, or a
// test looks for too soon, fails so on a machine that has nothing else to do.
var slower = func() float64 {
	n, _ := strconv.ParseFloat(os.Getenv("E2E_SLOW"), 64)
	return max(1, n)
}()

// pace slows the processor of the window down, where windows are slow at all.
func (w *tab) pace(rate float64) {
	w.t.Helper()
	if slower > 1 {
		command(w, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: rate})
	}
}

// offline cuts the window off the network, or connects it again.
func (w *tab) offline(is bool) {
	w.t.Helper()
	rules := []*network.Conditions{}
	if is || slower > 1 {
		rules = append(rules, &network.Conditions{Offline: is, Latency: 25 * slower, DownloadThroughput: -1, UploadThroughput: -1})
	}
	command(w, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: rules})
	command(w, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: is, DownloadThroughput: -1, UploadThroughput: -1})
}
