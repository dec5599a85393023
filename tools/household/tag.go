package household

import (
	"encoding/json/v2"
	"slices"

	"github.com/pocketbase/pocketbase/core"
)

// How many tags a subscription has at most, and how long one is.
const maxTags, maxTag = 20, 40

func parseTag(field, s string) (string, error) { return parseName(field, s, maxTag) }

// parseTags reads a list of tags; of two that differ in case only, the first
// is kept.
func parseTags(field string, list []string) ([]string, error) {
	list, err := parseEach(field, list, parseTag)
	if err != nil {
		return nil, err
	}
	tags := make([]string, 0, len(list))
	for _, tag := range list {
		if !hasTag(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) > maxTags {
		return nil, invalid("household.error.tags", field, maxTags)
	}
	return tags, nil
}

// parseEach parses all of a list, and says which one is wrong.
func parseEach(field string, list []string, parse func(field, s string) (string, error)) (out []string, err error) {
	out = make([]string, len(list))
	for i, s := range list {
		if out[i], err = parse(item(field, i), s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tagsOf reads the stored list.
func tagsOf(v values) []string {
	var tags []string
	if raw := v.GetString("tags"); raw != "" {
		_ = json.Unmarshal([]byte(raw), &tags) // validated when it was stored
	}
	return tags
}

func setTags(rec *core.Record, tags []string) {
	if len(tags) == 0 {
		rec.Set("tags", nil)
		return
	}
	rec.Set("tags", tags)
}

func hasTag(tags []string, tag string) bool {
	return slices.ContainsFunc(tags, func(t string) bool { return sameText(t, tag) })
}

func withoutTag(tags []string, tag string) []string {
	return slices.DeleteFunc(slices.Clone(tags), func(t string) bool { return sameText(t, tag) })
}
