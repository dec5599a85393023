package accounts

import (
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

const (
	right        = "a long password"
	passwordName = "nodkeep_me_password"
	deleteName   = "nodkeep_me_delete"
)

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// secondFactor asks it of whom the rule says.
func (h *home) secondFactor(rule string) {
	h.t.Helper()
	col, err := h.FindCollectionByNameOrId(tools.Members)
	if err != nil {
		h.t.Fatal(err)
	}
	col.OTP.Enabled, col.MFA.Enabled, col.MFA.Rule = true, true, rule
	if err := h.Save(col); err != nil {
		h.t.Fatal(err)
	}
}

// code sends one to an account.
func (h *home) code(a tools.Actor, code string) (id string) {
	h.t.Helper()
	otp := core.NewOTP(h.App)
	rec := h.account(a.Person)
	otp.SetCollectionRef(rec.Collection().Id)
	otp.SetRecordRef(rec.Id)
	otp.SetPassword(code)
	if err := h.Save(otp); err != nil {
		h.t.Fatal(err)
	}
	return otp.Id
}

// TestProof: the password, and five wrong ones end it for ten minutes.
func TestProof(t *testing.T) {
	at := &clock{at: time.Now()}
	h := newHome(t, tools.Config{Now: at.now})
	bob := h.As("bob")
	change := func(password string) error {
		_, err := h.Runner.Apply(t.Context(), bob, "", h.Call(passwordName, args{"password": password, "new": right}))
		return err
	}
	agent := bob
	agent.Agent = "agent1"
	if _, err := h.Preview(agent, passwordName, args{"password": right, "new": right}); keyOf(err) != "error.prove_agent" {
		t.Error("an agent proves: ", err)
	}
	h.refused(bob, passwordName, args{"new": right}, tools.Invalid, "")
	h.refused(bob, passwordName, args{"password": "", "new": right}, tools.Forbidden, "error.password")
	if err := change(right); err != nil {
		t.Error(err)
	}
	for range 4 {
		if err := change("wrong"); keyOf(err) != "error.password" {
			t.Error(err)
		}
	}
	for _, password := range []string{"wrong", right} {
		if err := change(password); tools.KindOf(err) != tools.Limit || keyOf(err) != "error.proofs" {
			t.Errorf("after five wrong ones: %v", err)
		}
	}
	h.refused(bob, deleteName, args{"password": right}, tools.Limit, "error.proofs")
	if _, err := h.Runner.Apply(t.Context(), h.ann, "", h.Call(passwordName, args{"password": right, "new": right})); err != nil {
		t.Errorf("another account's tries count: %v", err)
	}
	at.pass(9 * time.Minute)
	if err := change(right); tools.KindOf(err) != tools.Limit {
		t.Errorf("after nine minutes: %v", err)
	}
	at.pass(2 * time.Minute)
	if err := change(right); err != nil {
		t.Errorf("after eleven minutes: %v", err)
	}
}

// TestProofsAtOnce: many at a time are no more tries.
func TestProofsAtOnce(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	var mu sync.Mutex
	var all sync.WaitGroup
	keys := map[string]int{}
	for n := range 40 {
		all.Go(func() {
			inv := h.Call(passwordName, args{"password": "wrong", "new": right})
			var err error
			if n%2 == 0 {
				_, err = h.Runner.Preview(t.Context(), bob, inv)
			} else {
				_, err = h.Runner.Apply(t.Context(), bob, "", inv)
			}
			mu.Lock()
			defer mu.Unlock()
			keys[keyOf(err)]++
		})
	}
	all.Wait()
	if keys["error.password"] != 5 || keys["error.proofs"] != 35 {
		t.Errorf("%v", keys)
	}
}

// TestSecondFactor: where one is asked for, the password is not enough.
func TestSecondFactor(t *testing.T) {
	h := newHome(t, tools.Config{})
	h.secondFactor("")
	bob := h.As("bob")
	const code = "12345678"
	in := func(otp, code string) args {
		return args{"password": right, "new": right, "otp_id": otp, "code": code}
	}
	h.refused(bob, passwordName, args{"password": right, "new": right}, tools.Forbidden, "error.second_factor")
	h.refused(bob, deleteName, args{"password": right}, tools.Forbidden, "error.second_factor")
	otp := h.code(bob, code)
	h.refused(bob, passwordName, args{"password": right, "new": right, "code": code}, tools.Forbidden, "error.second_factor")
	h.refused(bob, passwordName, in(otp, "87654321"), tools.Forbidden, "error.code")
	h.refused(bob, passwordName, in("none", code), tools.Forbidden, "error.code")
	h.refused(bob, passwordName, in(h.code(h.ann, code), code), tools.Forbidden, "error.code")
	h.refused(bob, passwordName, args{"password": "wrong", "new": right, "otp_id": otp, "code": code}, tools.Forbidden, "error.password")
	if _, err := h.Preview(bob, passwordName, in(otp, code)); err != nil {
		t.Fatalf("a preview with the right code: %v", err)
	}
	h.must(bob, passwordName, in(otp, code))
	h.refused(bob, passwordName, in(otp, code), tools.Forbidden, "error.code") // it works once
}

// TestCodesExpire.
func TestCodesExpire(t *testing.T) {
	h := newHome(t, tools.Config{})
	h.secondFactor("")
	bob := h.As("bob")
	otp := h.code(bob, "12345678")
	if _, err := h.NonconcurrentDB().NewQuery("UPDATE _otps SET created = '2020-01-01 00:00:00.000Z'").Execute(); err != nil {
		t.Fatal(err)
	}
	h.refused(bob, passwordName, args{"password": right, "new": right, "otp_id": otp, "code": "12345678"}, tools.Forbidden, "error.code")
}

// TestSecondFactorOfSome: the rule says of whom it is asked.
func TestSecondFactorOfSome(t *testing.T) {
	h := newHome(t, tools.Config{})
	h.secondFactor("operator = true")
	if _, err := h.Preview(h.As("bob"), passwordName, args{"password": right, "new": right}); err != nil {
		t.Errorf("a member: %v", err)
	}
	h.refused(h.ann, passwordName, args{"password": right, "new": right}, tools.Forbidden, "error.second_factor")
}

// TestANewPassword ends every token of the old.
func TestANewPassword(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	rec := h.account(bob.Person)
	tokens := map[string]string{}
	for kind, make := range map[string]func() (string, error){
		core.TokenTypeAuth: rec.NewAuthToken, core.TokenTypeFile: rec.NewFileToken, core.TokenTypePasswordReset: rec.NewPasswordResetToken, core.TokenTypeVerification: rec.NewVerificationToken,
		core.TokenTypeEmailChange: func() (string, error) { return rec.NewEmailChangeToken("new@example.com") },
	} {
		token, err := make()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.FindAuthRecordByToken(token, kind); err != nil {
			t.Fatal(err)
		}
		tokens[kind] = token
	}
	static, err := rec.NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	h.code(bob, "12345678")
	h.must(h.ann, resetName, args{"account": bob.Person})
	h.must(h.ann, resetName, args{"account": h.ann.Person})
	h.must(bob, passwordName, args{"password": right, "new": "another password"})
	if n := h.count("SELECT count(*) FROM nodkeep_links WHERE account = '" + bob.Person + "'"); n != 0 || h.count("SELECT count(*) FROM nodkeep_links") != 1 {
		t.Error("a link for another new password is left, or that of somebody else is not")
	}
	for kind, token := range tokens {
		if _, err := h.FindAuthRecordByToken(token, kind); err == nil {
			t.Errorf("an old %s token is good still", kind)
		}
	}
	if _, err := h.FindAuthRecordByToken(static, core.TokenTypeAuth); err == nil {
		t.Error("an old static token is good still")
	}
	if n := h.count("SELECT count(*) FROM _otps"); n != 0 {
		t.Error("an old code is left")
	}
	if rec := h.account(bob.Person); rec.ValidatePassword(right) || !rec.ValidatePassword("another password") {
		t.Error("the password is the old one")
	}
	h.refused(bob, passwordName, args{"password": "another password", "new": "short"}, tools.Invalid, "nodkeep.error.account")
}
