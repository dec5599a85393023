package budget

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strconv"
)

// mostObjects is how many bytes of packed objects are looked through for pages.
const mostObjects = 16 << 20

var (
	onePage  = regexp.MustCompile(`/Type\s*/Page[^s]`)
	howMany  = regexp.MustCompile(`/Count\s+(\d+)`)
	children = regexp.MustCompile(`/Kids\s*\[([^\]]*)`)
	child    = regexp.MustCompile(`\d\s+R`)
	packed   = regexp.MustCompile(`/Type\s*/ObjStm`)
)

// pagesOf is how many pages a PDF may have: the most that anything in it says,
// since a host may read any of that. One that cannot be looked through may have
// as many as a host reads.
func pagesOf(pdf []byte) int {
	most := countPages(pdf)
	left := mostObjects
	for _, at := range packed.FindAllIndex(pdf, -1) {
		from := bytes.Index(pdf[at[1]:], []byte("stream"))
		if from < 0 {
			return mostPages
		}
		z, err := zlib.NewReader(bytes.NewReader(bytes.TrimLeft(pdf[at[1]+from+len("stream"):], "\r\n")))
		if err != nil {
			return mostPages
		}
		objects, err := io.ReadAll(io.LimitReader(z, int64(left)))
		if left -= len(objects); err != nil || left <= 0 {
			return mostPages
		}
		most += countPages(objects)
	}
	if most <= 0 || bytes.Contains(pdf, []byte("/Encrypt")) && len(packed.Find(pdf)) > 0 {
		return mostPages
	}
	return min(most, mostPages)
}

// countPages finds what speaks of pages in objects as they are written.
func countPages(objects []byte) int {
	kids, said := 0, 0
	for _, m := range children.FindAllSubmatch(objects, -1) {
		kids += len(child.FindAll(m[1], mostPages))
	}
	for _, m := range howMany.FindAllSubmatch(objects, -1) {
		n, err := strconv.Atoi(string(m[1]))
		if err != nil {
			n = mostPages
		}
		said = max(said, min(n, mostPages))
	}
	return max(kids, said, len(onePage.FindAll(objects, mostPages)))
}
