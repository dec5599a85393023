package tools

import (
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// Proof is how a person shows that it is really them: the password and, where
// the accounts ask for a second factor, a code that was sent.
type Proof struct {
	Password Secret `json:"password"`
	OTP      string `json:"otp_id,omitzero" jsonschema:"of the code, as request-otp answered it; where a second factor is asked for"`
	Code     Secret `json:"code,omitzero"`
}

// maxProofs is how often an account may be wrong in proofTime.
const maxProofs = 5

// Prove refuses who cannot show that they are the person that acts: what a
// stolen token must not be enough for. Wrong tries are counted by account.
func (c *Call) Prove(p Proof) error {
	person := c.run.info.Auth
	if person == nil || person.Collection().Name != Members {
		return Fail(Forbidden, "error.no_member")
	}
	if c.Actor.Agent != "" {
		return Fail(Forbidden, "error.prove_agent")
	}
	if !c.proofs.may(person.Id, c.run.now) {
		return Fail(Limit, "error.proofs")
	}
	wrong := func(key string) error {
		c.proofs.failed(person.Id, c.run.now)
		return Fail(Forbidden, key)
	}
	if !person.ValidatePassword(string(p.Password)) {
		return wrong("error.password")
	}
	second, err := c.asksSecond(person)
	if err != nil || !second {
		return err
	}
	if p.OTP == "" || p.Code == "" {
		return Fail(Forbidden, "error.second_factor")
	}
	otp, err := c.app.FindOTPById(p.OTP)
	if err != nil || otp.CollectionRef() != person.Collection().Id || otp.RecordRef() != person.Id ||
		otp.HasExpired(person.Collection().OTP.DurationTime()) || !otp.ValidatePassword(string(p.Code)) {
		return wrong("error.code")
	}
	return c.app.DeleteWithContext(c.ctx, otp)
}

// asksSecond says whether this account must give a second factor to sign in.
func (c *Call) asksSecond(person *core.Record) (bool, error) {
	col := person.Collection()
	if !col.MFA.Enabled {
		return false, nil
	}
	if col.MFA.Rule == "" {
		return true, nil
	}
	q := c.app.ConcurrentDB().Select("(1)").From(col.Name).AndWhere(dbx.HashExp{col.Name + ".id": person.Id}).WithContext(c.ctx)
	if _, err := c.restrict(q, col, &col.MFA.Rule); err != nil {
		return true, err
	}
	var found []int
	err := q.Limit(1).Column(&found)
	return len(found) > 0, err
}
