package budget

import (
	"bytes"
	"image"
	_ "image/gif" // whose size is read, as that of the others
	_ "image/jpeg"
	_ "image/png" // WebP is known where PocketBase is
)

// What hosts make of a picture, in tokens. Most bring it down to a size of their
// own, and name 4,784 at most; OpenAI since GPT-5.6 reads each 32 by 32 points of
// one as it is, up to 30,000 of them, and lets small models pay them more than
// once.
const (
	forPicture  = 6_000
	patch       = 32
	forPatch    = 2
	mostPatches = 30_000
)

// picture is the most that one may be. What nobody can measure may be the largest.
func picture(data []byte) int64 {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return mostPatches * forPatch
	}
	wide, high := min((int64(c.Width)+patch-1)/patch, mostPatches), min((int64(c.Height)+patch-1)/patch, mostPatches)
	return max(forPicture, min(wide*high, mostPatches)*forPatch)
}
