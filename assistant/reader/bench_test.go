package reader

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// bigStatement is a statement of many years and accounts' worth of rows: card
// payments at many merchants, debits that recur, quotes here and there.
func bigStatement(rows int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString("Buchungstag;Valuta;Name;Verwendungszweck;Betrag;Währung\r\n")
	day := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range rows {
		if i%20 == 0 {
			day = day.AddDate(0, 0, 1)
		}
		d := day.Format("02.01.2006")
		switch {
		case i%600 == 0:
			fmt.Fprintf(&b, "%s;%s;Netflix.com;Abo Kd-Nr. %d;-13,99;EUR\r\n", d, d, r.IntN(1e6))
		case i%7 == 0:
			fmt.Fprintf(&b, "%s;%s;\"Markt \"\"Am Ring\"\" %d\";\"Einkauf, Karte %04d\";-%d,%02d;EUR\r\n", d, d, r.IntN(5000), r.IntN(1e4), 1+r.IntN(200), r.IntN(100))
		default:
			fmt.Fprintf(&b, "%s;%s;HAENDLER %c%c%c FIL.%04d//MUENCHEN/DE;VISA Debitkartenumsatz vom %s;-%d,%02d;EUR\r\n", d, d, 'A'+r.IntN(26), 'A'+r.IntN(26), 'A'+r.IntN(26), r.IntN(1e4), d, 1+r.IntN(200), r.IntN(100))
		}
	}
	return bytes.Clone(b.Bytes())
}

const bigRows = 200_000

// BenchmarkCSV reads a statement of 200,000 rows: parse turns the file into
// rows, read finds what recurs in them as well. Peak heap counts the file too.
// It fails where parsing is below 50 MB/s; of the whole it prints the figures,
// which should be 300,000 rows/s where nothing else runs.
func BenchmarkCSV(b *testing.B) {
	data := bigStatement(bigRows)
	b.Run("parse", func(b *testing.B) {
		measure(b, data, 50e6, func() error {
			_, err := csv{}.parse(b.Context(), File{Data: data}, nil)
			return err
		})
	})
	b.Run("read", func(b *testing.B) {
		measure(b, data, 0, func() error {
			_, err := Read(b.Context(), File{Data: data}, nil)
			return err
		})
	})
}

func measure(b *testing.B, data []byte, least float64, run func() error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the figures are for one core
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := run(); err != nil {
			b.Fatal(err)
		}
	}
	times := float64(b.N) / b.Elapsed().Seconds()
	rows, bytes := bigRows*times, float64(len(data))*times
	b.ReportMetric(rows, "rows/s")
	if bytes < least {
		b.Errorf("%.0f rows/s and %.1f MB/s, want %.0f MB/s", rows, bytes/1e6, least/1e6)
	}
	b.ReportMetric(float64(peakHeap(b, run))/(1<<20), "peak-MB")
}

// peakHeap runs once more while the heap is watched.
func peakHeap(tb testing.TB, run func() error) uint64 {
	tb.Helper()
	runtime.GC()
	ctx, stop := context.WithCancel(context.Background())
	peak := make(chan uint64)
	go func() {
		var most uint64
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
			select {
			case <-ctx.Done():
				peak <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	err := run()
	stop()
	if err != nil {
		tb.Fatal(err)
	}
	return <-peak
}
