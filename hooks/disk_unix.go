//go:build linux || darwin

package hooks

import "syscall"

// free says how many bytes of a folder's disk are left to write on; 0 where nobody knows.
func free(dir string) int64 {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return 0
	}
	return int64(s.Bavail * uint64(s.Bsize))
}
