package household

import "github.com/nodkeep/nodkeep/tools"

func earlier(a, b tools.Date) tools.Date {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b tools.Date) tools.Date {
	if b.After(a) {
		return b
	}
	return a
}
