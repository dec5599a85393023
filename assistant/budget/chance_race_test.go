//go:build race

package budget

// schedules are fewer where the race detector makes each take thirty times as
// long.
const schedules = 100
