package reader

// profile knows what neither the header nor the content of a file can tell.
// Most banks need none.
type profile interface {
	// row looks at a row before it is kept as number n, and says why it is to
	// be left out instead.
	row(r *row, cells [][]byte, n int) (reason string)
	// finish looks at all rows together.
	finish(st *statement)
}

func profileOf(l *layout) profile {
	if l.has(roleReference) && l.has(roleID) && l.has(roleType) && l.has(roleTime) {
		return newPaypal(l)
	}
	return nil
}
