package reader

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// encoding of a text file; its value is the name that a person knows.
type encoding string

const (
	encodingNone    encoding = "" // no text
	encodingUTF8    encoding = "utf-8"
	encodingUTF16LE encoding = "utf-16le"
	encodingUTF16BE encoding = "utf-16be"
	encodingLatin   encoding = "windows-1252"
)

// Text is the text of a file, whatever it is encoded in; ok is false for what is
// none.
func Text(data []byte) (text []byte, ok bool) {
	e := encodingOf(data)
	if e == encodingNone {
		return nil, false
	}
	return decode(data, e), true
}

// encodingOf decides over the whole file. Windows-1252 is what remains: in
// practice it holds Latin-1 as well.
func encodingOf(data []byte) encoding {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return textOr(data, encodingUTF8)
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return encodingUTF16LE
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return encodingUTF16BE
	}
	if e := utf16ByZeros(data); e != encodingNone {
		return e
	}
	if mostlyUTF8(data) {
		return textOr(data, encodingUTF8)
	}
	return textOr(data, encodingLatin)
}

// utf16ByZeros finds UTF-16 without a mark: Latin letters leave a zero in every
// second byte, all on one side.
func utf16ByZeros(data []byte) encoding {
	head := data[:min(len(data), 4096)&^1]
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i&1]++
		}
	}
	pairs := len(head) / 2
	switch {
	case pairs > 0 && zeros[1]*10 > pairs*3 && zeros[0]*20 < pairs:
		return encodingUTF16LE
	case pairs > 0 && zeros[0]*10 > pairs*3 && zeros[1]*20 < pairs:
		return encodingUTF16BE
	}
	return encodingNone
}

// textOr is e, unless the bytes are no text: a zero byte before the padding at
// the end, or more than a few control characters.
func textOr(data []byte, e encoding) encoding {
	data = bytes.TrimRight(data, "\x00\x1a")
	if bytes.IndexByte(data, 0) >= 0 {
		return encodingNone
	}
	head := data[:min(len(data), 64<<10)]
	control := 0
	for _, b := range head {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' || b == 0x7f {
			control++
		}
	}
	if control*50 > len(head) {
		return encodingNone
	}
	return e
}

// mostlyUTF8 forgives the few bad sequences of a bank that cuts names at a
// number of bytes.
func mostlyUTF8(data []byte) bool {
	if utf8.Valid(data) {
		return true
	}
	good, bad := 0, 0
	for data = data[asciiPrefix(data):]; len(data) > 0; data = data[asciiPrefix(data):] {
		if bad > 1000 && bad > good {
			return false // nothing that follows can outweigh these
		}
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
		data = data[size:]
	}
	return good > 10*bad
}

// decode gives UTF-8 without a byte order mark. A file that is UTF-8 already is
// not copied.
func decode(data []byte, e encoding) []byte {
	switch e {
	case encodingUTF16LE, encodingUTF16BE:
		data = decodeUTF16(data, e == encodingUTF16BE)
	case encodingLatin:
		data = decodeLatin(data)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	return bytes.TrimRight(data, "\x00\x1a")
}

// decodeLatin takes the memory that is needed once: most of a file is ASCII.
func decodeLatin(data []byte) []byte {
	high := 0
	for _, b := range data {
		if b >= utf8.RuneSelf {
			high++
		}
	}
	out := make([]byte, 0, len(data)+2*high)
	for len(data) > 0 {
		n := asciiPrefix(data)
		out = append(out, data[:n]...)
		if data = data[n:]; len(data) > 0 {
			out = utf8.AppendRune(out, charmap.Windows1252.DecodeByte(data[0]))
			data = data[1:]
		}
	}
	return out
}

// asciiPrefix is how many bytes of ASCII come first, mostly looked at by eights.
func asciiPrefix(data []byte) int {
	n := 0
	for len(data)-n >= 8 && binary.NativeEndian.Uint64(data[n:])&0x8080808080808080 == 0 {
		n += 8
	}
	for n < len(data) && data[n] < utf8.RuneSelf {
		n++
	}
	return n
}

func decodeUTF16(data []byte, big bool) []byte {
	out := make([]byte, 0, len(data)/2+len(data)/16)
	var high rune
	for i := 0; i+1 < len(data); i += 2 {
		r := rune(data[i]) | rune(data[i+1])<<8
		if big {
			r = rune(data[i])<<8 | rune(data[i+1])
		}
		switch {
		case high != 0:
			out = utf8.AppendRune(out, utf16.DecodeRune(high, r))
			high = 0
		case r >= 0xd800 && r < 0xdc00:
			high = r
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// unmangle repairs UTF-8 that was once read as Windows-1252 ("MÃ¡s"). It is for
// comparing headers only; what a row says stays as it is.
func unmangle(s string) string {
	for _, r := range s {
		if r == 'Ã' || r == 'Â' {
			b, err := charmap.Windows1252.NewEncoder().String(s)
			if err == nil && utf8.ValidString(b) {
				return b
			}
			return s
		}
	}
	return s
}
