package tools

import "github.com/pocketbase/pocketbase/core"

type recorder struct{}

func (x *recorder) vouch(rec *core.Record)                           {}
func (x *recorder) send(app core.App, kind, payload string) error { return nil }
