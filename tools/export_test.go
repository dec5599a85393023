package tools

import "github.com/pocketbase/pocketbase/core"

// AppOf is the transaction of a Call, as code that reaches further has it.
func AppOf(c *Call) core.App { return c.app }

// SetRule replaces a change rule, so that one app serves many.
func (r *Registry) SetRule(collection string, rule Rule) {
	r.rules[collection] = ownedRule{rule, "lab"}
}

// ForgetHead makes tests of the audit able to say that a head was lost.
func (r *Runner) ForgetHead() {
	r.chain.mu.Lock()
	defer r.chain.mu.Unlock()
	r.chain.loaded = false
}
