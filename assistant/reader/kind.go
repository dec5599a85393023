package reader

import (
	"bytes"

	"github.com/nodkeep/nodkeep/tools"
)

// contentKind names what a file really is, whatever its name says; "text" for
// something that may be a table, "" for an empty file. The names are parts of
// keys in the catalogue.
func contentKind(data []byte) string {
	head := data[:min(len(data), 4096)]
	starts := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	switch {
	case len(bytes.Trim(head, "\xef\xbb\xbf \t\r\n")) == 0 && len(data) <= len(head):
		return ""
	case bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")):
		return "pdf"
	case starts("\x89PNG"), starts("\xff\xd8\xff"), starts("GIF8"), starts("II*\x00"), starts("MM\x00*"),
		starts("RIFF") && has("WEBP"), len(head) > 12 && bytes.Equal(head[4:8], []byte("ftyp")):
		return "image"
	case starts("PK\x03\x04"):
		if has("[Content_Types].xml") || has("xl/") || has("mimetypeapplication/vnd.oasis") {
			return "spreadsheet"
		}
		return "zip"
	case starts("\xd0\xcf\x11\xe0"):
		return "old_excel"
	case starts("\x1f\x8b"), starts("7z\xbc\xaf"), starts("Rar!"), starts("BZh"):
		return "zip"
	}
	encoding := encodingOf(data)
	if encoding == encodingNone {
		return "binary"
	}
	return textKind(decode(head, encoding))
}

// textKind tells apart what is written in letters.
func textKind(head []byte) string {
	text := bytes.ToLower(bytes.TrimSpace(head))
	starts := func(s string) bool { return bytes.HasPrefix(text, []byte(s)) }
	has := func(s string) bool { return bytes.Contains(text, []byte(s)) }
	switch {
	case len(text) == 0:
		return ""
	case starts("ofxheader"), starts("<") && has("<ofx>"), has("<?ofx"):
		return "ofx"
	case starts("<") && has("camt.05"):
		return "camt"
	case starts("<!doctype html"), starts("<html"), starts("<table"), starts("<") && has("<html"), starts("<") && has("<table"):
		return "html"
	case starts("<?xml"), starts("<document"):
		return "xml"
	case starts("!type:"), starts("!account"), starts("!option"):
		return "qif"
	case starts(":20:"), has("\n:20:") && (has("\n:25:") || has("\n:60f:")):
		return "mt940"
	case starts("{\\rtf"):
		return "rtf"
	case starts("{\""), starts("[{"), starts("{\n"), starts("{\r\n"):
		return "json"
	}
	return "text"
}

// refuse says what a file is and what to do instead.
func refuse(data []byte) *tools.Error {
	kind := contentKind(data)
	advice := "reader.advice.csv"
	switch kind {
	case "":
		return tools.Fail(tools.Invalid, "reader.empty")
	case "spreadsheet", "old_excel", "html":
		advice = "reader.advice.save_as"
	case "zip":
		advice = "reader.advice.unpack"
	case "text":
		kind = "binary"
	}
	return tools.Fail(tools.Invalid, "reader.refused", tools.T("reader.kind."+kind), tools.T(advice))
}
