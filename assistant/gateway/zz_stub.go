// What a protocol has not got yet: each line goes when its files come, and then this file.
package gateway

import (
	"encoding/json/jsontext"
	"net/http"
)

type stubSpeech struct{}

func (stubSpeech) path() string                               { return "/x" }
func (stubSpeech) headers(http.Header, target, string)        {}
func (stubSpeech) encode(r Request, t target) ([]byte, error) { return nil, nil }
func (stubSpeech) decoder(t target, a *answer) decoder        { return stubDec{} }

type stubDec struct{}

func (stubDec) event(string, []byte) {}
func (stubDec) whole(jsontext.Value) {}
func (stubDec) end()                 {}

type anthropic struct{ stubSpeech }
type responses struct{ stubSpeech }
