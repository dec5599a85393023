//go:build !race

package budget

const schedules = 1000
