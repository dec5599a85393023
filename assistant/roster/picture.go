package roster

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
)

// picture is a green square: some hosts refuse what is smaller.
func picture() []byte {
	square := image.NewPaletted(image.Rect(0, 0, 64, 64), color.Palette{color.RGBA{0, 160, 60, 255}})
	draw.Draw(square, square.Bounds(), image.NewUniform(square.Palette[0]), image.Point{}, draw.Src)
	var b bytes.Buffer
	_ = png.Encode(&b, square) // memory takes all of it
	return b.Bytes()
}
