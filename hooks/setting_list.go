package hooks

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// number reads a whole number from least to most.
func (r *reading) number(name string, or, least, most int) int {
	v := r.get(name)
	if v == "" {
		return or
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < least || n > most {
		r.wrong(name, "is no such number", fmt.Sprintf("Give a whole number from %d to %d, or leave it out for %d.", least, most, or))
		return or
	}
	return n
}

// parts are the words of a list with commas between, each once.
func (r *reading) parts(name string) (parts []string) {
	for part := range strings.SplitSeq(r.get(name), ",") {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// list reads names; what says how one that is not known is to be called.
func (r *reading) list(name, what string, or, known []string) []string {
	if r.get(name) == "" {
		return or
	}
	var chosen []string
	for _, part := range r.parts(name) {
		if !slices.Contains(known, part) {
			r.wrong(name, "names "+what, there(known))
			continue
		}
		chosen = append(chosen, part)
	}
	return chosen
}

// there says which names there are.
func there(known []string) string {
	if len(known) == 0 {
		return "There is none: leave it out."
	}
	return "There is: " + strings.Join(known, ", ") + "."
}

// headers reads names of HTTP headers.
func (r *reading) headers(name string) []string {
	names := r.parts(name)
	for _, n := range names {
		if strings.IndexFunc(n, func(c rune) bool {
			return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", c)
		}) >= 0 {
			r.wrong(name, "names what is no header", "Give the name of the header that your proxy sets, such as X-Forwarded-For, or leave it out.")
			return nil
		}
		if strings.EqualFold(n, "Forwarded") { // PocketBase looks for bare addresses
			r.wrong(name, "names Forwarded, which is not understood", "Have your proxy set X-Forwarded-For or X-Real-IP, and name that.")
			return nil
		}
	}
	return names
}

// anyOrigin stands for every site there is.
const anyOrigin = "*"

// origins reads addresses of sites, without a path. A pattern is refused: it
// would let in more than it seems to.
func (r *reading) origins(name string) (origins []string) {
	for _, part := range r.parts(name) {
		part = strings.ToLower(strings.TrimSuffix(part, "/"))
		u, err := url.Parse(part)
		if part != anyOrigin && (err != nil || u.Scheme == "" || u.Host == "" || part != u.Scheme+"://"+u.Host || strings.ContainsAny(u.Host, "*?")) {
			r.wrong(name, "names what is no origin", "Give origins such as https://app.example.org, with commas between, or leave it out: the instance's own pages need none.")
			return nil
		}
		origins = append(origins, part)
	}
	return origins
}

// yes reads a switch that is off unless it is set. What is neither yes nor no
// stops the start: it may have been meant to close something.
func (r *reading) yes(name string) bool {
	switch strings.ToLower(r.get(name)) {
	case "":
		return false
	case "1", "true", "yes", "on":
		return true
	case "0", "false", "no", "off":
		return false
	}
	r.wrong(name, "is neither yes nor no", "Give yes or no, or leave it out for no.")
	return false
}
