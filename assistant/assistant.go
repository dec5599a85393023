// Package assistant answers people with a model: a question in, events out. It
// calls the same tools as every other door, as the person who asks; what changes
// something goes through the gate.
package assistant
