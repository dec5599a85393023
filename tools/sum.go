package tools

// Sum groups the records that the person may list and adds up fields: group
// names fields, month(f) or year(f) of a date field; sums names number fields,
// or count.
func (r *Reader) Sum(collection string, query Query, group []string, sums ...string) ([]Row, error) {
	return nil, nil
}
