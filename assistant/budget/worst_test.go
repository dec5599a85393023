package budget

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json/jsontext"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestWorst: every part of a request adds at least its bytes to the most that it
// may use, and pictures and pages what hosts make of them.
func TestWorst(t *testing.T) {
	hundred := strings.Repeat("ä", 50)
	items := []jsontext.Value{jsontext.Value(`"` + hundred + `"`)}
	args := jsontext.Value(`{"a":"` + hundred + `"}`)
	message := func(m gateway.Message) gateway.Request { return gateway.Request{Messages: []gateway.Message{m}} }
	rows := []struct {
		name     string
		r        gateway.Request
		at, most int64 // more than an empty request
	}{
		{"instructions", gateway.Request{System: []gateway.Block{{Text: hundred}}}, 100, 200},
		{"a tool", gateway.Request{Tools: []gateway.Tool{{Name: hundred, Description: hundred, Schema: args}}}, 508, 800},
		{"text", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Text, Text: hundred}}}), 100, 300},
		{"no UTF-8", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Text, Text: strings.Repeat("\xff", 100)}}}), 300, 500},
		{"an answer", message(gateway.Message{Text: hundred, Calls: []gateway.Call{{ID: hundred, Name: hundred, Args: args}}}), 608, 900},
		{"an answer as it came", message(gateway.Message{Text: "a", Raw: &gateway.Raw{Items: items}}), 302, 500},
		{"an answer that may be sent either way", message(gateway.Message{Text: hundred, Raw: &gateway.Raw{}}), 100, 300},
		{"results", message(gateway.Message{Results: []gateway.ToolResult{{Call: hundred, Text: hundred}}}), 400, 600},
		{"a picture", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Image, Name: hundred, Data: points(64, 64)}}}), 6100, 6400},
		{"a large picture", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Image, Data: points(4032, 3024)}}}), 2 * 126 * 95, 2*126*95 + 200},
		{"a thin picture", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Image, Data: points(1, 65_000)}}}), 6000, 6300},
		{"a picture of many parts", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Image, Data: points(33, 200_000)}}}), 2 * 2 * 6250, 2*2*6250 + 200},
		{"a picture beyond all size", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Image, Data: points(2_000_000_000, 2_000_000_000)}}}), 60_000, 60_300},
		{"a picture that nobody can measure", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.Image, Data: []byte("heic")}}}), 60_000, 60_300},
		{"a medium that nobody knows", message(gateway.Message{Parts: []gateway.Part{{Media: "film"}}}), 60_000, 60_300},
		{"results that are escaped", message(gateway.Message{Results: []gateway.ToolResult{{Text: strings.Repeat("\"<ä😀\x01", 10)}}}), 10 * (2 + 6 + 6 + 12 + 6), 500},
		{"many small arguments", message(gateway.Message{Calls: []gateway.Call{{Args: jsontext.Value("{" + strings.Repeat(`"a":1,`, 99) + `"a":1}`)}}}), 100 * (5 + 20), 5000},
		{"a schema of many small parts", gateway.Request{Tools: []gateway.Tool{{Schema: jsontext.Value(`{"enum":[` + strings.Repeat("1,", 99) + "1]}")}}}, 100 * 4, 700},
		{"a PDF", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.PDF, Pages: 3, Data: make([]byte, 1_000_000)}}}), 30_000, 30_300},
		{"a PDF that nobody counted", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.PDF, Data: []byte("%PDF-1.7 1 0 obj<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R 6 0 R]/Count 4>>endobj 3 0 obj<</Type /Page/Parent 1 0 R>>endobj")}}}), 40_000, 40_300},
		{"a PDF that is none", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.PDF, Data: make([]byte, 1999)}}}), 6_000_000, 6_000_300},
		{"a large PDF that nobody counted", message(gateway.Message{Parts: []gateway.Part{{Media: gateway.PDF, Data: make([]byte, 1_000_000)}}}), 6_000_000, 6_000_300},
	}
	for _, row := range rows {
		got, out := worst(row.r)
		if got -= forRequest; got < row.at || got > row.most || out != gateway.DefaultOutput {
			t.Errorf("%s may use %d, want %d to %d", row.name, got, row.at, row.most)
		}
	}
	if _, out := worst(gateway.Request{MaxOutput: 7}); out != 7 {
		t.Error(out)
	}
	if _, out := worst(gateway.Request{MaxOutput: -7}); out != gateway.DefaultOutput {
		t.Error(out)
	}
}

// points is the beginning of a PNG of that size.
func points(wide, high uint32) []byte {
	head := append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), wide), high), 8, 2, 0, 0, 0)
	b := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), 13)
	return binary.BigEndian.AppendUint32(append(b, head...), crc32.ChecksumIEEE(head))
}

// TestPages: a PDF that nobody counted has as many pages as anything in it says.
func TestPages(t *testing.T) {
	kids := strings.Repeat("3 0 R ", 500)
	pack := func(objects string) string {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		_, _ = z.Write([]byte(objects))
		_ = z.Close()
		return "5 0 obj<</Type/ObjStm/Filter/FlateDecode>>stream\r\n" + b.String() + "\nendstream endobj"
	}
	for _, row := range []struct {
		name, pdf string
		want      int
	}{
		{"one page named often", "%PDF 1 0 obj<</Type/Pages/Count 1/Kids[" + kids + "]>>", 500},
		{"it says so", "%PDF 1 0 obj<</Type/Pages/Count 77/Kids[3 0 R]>>", 77},
		{"one says so, another not", "%PDF <</Type/Pages/Count 1/Kids[3 0 R]>> <</Count 50>>", 50},
		{"pages alone", "%PDF " + strings.Repeat("<</Type /Page/Parent 1 0 R>>", 9), 9},
		{"packed", "%PDF " + pack("<</Type/Pages/Count 1/Kids["+kids+"]>>"), 500},
		{"packed in two", "%PDF " + pack("<</Type/Pages/Kids["+kids[:600]+"]>>") + pack("<</Type/Pages/Kids["+kids[:600]+"]>>"), 200},
		{"packed as nobody knows", "%PDF <</Type/Pages/Count 1>> <</Type/ObjStm>>stream\nabc", mostPages},
		{"packed and cut", "%PDF <</Type/Pages/Count 1>> <</Type/ObjStm>>", mostPages},
		{"packed beyond all size", "%PDF <</Type/Pages/Count 1>> " + pack(strings.Repeat(" ", mostObjects+1)), mostPages},
		{"locked", "%PDF <</Encrypt 1 0 R>> " + pack("<</Type/Pages/Count 1>>"), mostPages},
		{"absurd", "%PDF <</Type/Pages/Count 99999999999999999999>>", mostPages},
		{"less than nothing", "%PDF <</Type/Pages/Count -5>>", mostPages},
		{"nothing", "", mostPages},
	} {
		if got := pagesOf([]byte(row.pdf)); got != row.want {
			t.Errorf("%s: %d pages, want %d", row.name, got, row.want)
		}
	}
}
