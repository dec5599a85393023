package tools

import "github.com/pocketbase/dbx"

// DropFiles deletes the files that wait to be deleted of one record, now: the
// record is erased, so nothing may bring them back. Collection is its id.
func (r *Runner) DropFiles(collection, record string) error {
	mine := dbx.HashExp{"collection": collection, "record": record}
	var names []string
	if err := r.app.DB().Select("file").From(filesTable).Where(mine).Column(&names); err != nil {
		return err
	}
	if len(names) == 0 {
		return nil
	}
	if err := r.deletePrefix(collection + "/" + record); err != nil {
		return err
	}
	_, err := r.app.NonconcurrentDB().Delete(filesTable, mine).Execute()
	return err
}
