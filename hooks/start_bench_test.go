package hooks

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What Nodkeep may cost more than an empty PocketBase.
const (
	maxStartMore  = 300 * time.Millisecond
	maxMemoryMore = 25.0 // MB of resident memory, idle
)

// BenchmarkStart takes the time from starting the process to its first answer,
// on a data folder that was used before, in turns with an empty PocketBase.
func BenchmarkStart(b *testing.B) {
	own, empty := starters(b)
	var ours, theirs []time.Duration
	for b.Loop() {
		for range 3 {
			ours = append(ours, own.answered(b, nil))
			theirs = append(theirs, empty.answered(b, nil))
		}
	}
	a, e := median(ours), median(theirs)
	b.ReportMetric(float64(a.Milliseconds()), "ms")
	b.ReportMetric(float64(e.Milliseconds()), "ms-empty")
	b.ReportMetric(float64((a - e).Milliseconds()), "ms-more")
	b.ReportMetric(float64(maxStartMore.Milliseconds()), "ms-limit")
	if a-e > maxStartMore {
		b.Errorf("starts in %s, an empty PocketBase in %s: more than %s later", a, e, maxStartMore)
	}
}

// BenchmarkIdleMemory reads what the system holds for each a second after its
// first answer.
func BenchmarkIdleMemory(b *testing.B) {
	own, empty := starters(b)
	if _, err := os.Stat("/proc/self/status"); err != nil {
		b.Skip("the system does not tell")
	}
	var ours, theirs []float64
	for b.Loop() {
		own.answered(b, func(pid int) { ours = append(ours, resident(b, pid)) })
		empty.answered(b, func(pid int) { theirs = append(theirs, resident(b, pid)) })
	}
	a, e := median(ours), median(theirs)
	b.ReportMetric(a, "MB")
	b.ReportMetric(e, "MB-empty")
	b.ReportMetric(a-e, "MB-more")
	b.ReportMetric(maxMemoryMore, "MB-limit")
	if a-e > maxMemoryMore {
		b.Errorf("holds %.1f MB, an empty PocketBase %.1f: more than %.0f above", a, e, maxMemoryMore)
	}
}

// starter is a program on a folder of its own.
type starter struct{ bin, dir string }

func starters(b *testing.B) (own, empty starter) {
	own = starter{binary(b), filepath.Join(b.TempDir(), "pb_data")}
	empty = starter{filepath.Join(b.TempDir(), "pocketbase"), filepath.Join(b.TempDir(), "pb_data")}
	build := exec.Command("go", "build", "-o", empty.bin, "./testdata/pocketbase")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%s", out)
	}
	for _, s := range []starter{own, empty} {
		s.answered(b, nil) // the first start migrates
	}
	if out, err := exec.Command(own.bin, "account", "add", "ana", "--dir", own.dir).CombinedOutput(); err != nil {
		b.Fatalf("%s", out)
	}
	return own, empty
}

// answered is the time to the first answer. Then look may look, a second later.
func (s starter) answered(b *testing.B, look func(pid int)) time.Duration {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	c := exec.Command(s.bin, "serve", "--http", addr, "--dir", s.dir)
	start := time.Now()
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	}()
	for time.Since(start) < 20*time.Second {
		resp, err := http.Get("http://" + addr + "/api/health")
		if err != nil {
			time.Sleep(time.Millisecond)
			continue
		}
		took := time.Since(start)
		_ = resp.Body.Close()
		if look != nil {
			time.Sleep(time.Second)
			look(c.Process.Pid)
		}
		return took
	}
	b.Fatalf("%s does not answer", s.bin)
	return 0
}

func median[T int | float64 | time.Duration](l []T) T {
	slices.Sort(l)
	return l[len(l)/2]
}

// resident is the memory of a process that the system holds, in MB.
func resident(b *testing.B, pid int) float64 {
	b.Helper()
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmRSS:"); ok {
			kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				b.Fatal(err)
			}
			return kb / 1024
		}
	}
	b.Fatal("no VmRSS")
	return 0
}
