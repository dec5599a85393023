package accounts

import (
	"testing"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

func TestContract(t *testing.T) { toolstest.Contract(t, Plugin{}) }

// TestWhoTheToolsAreFor: none is offered to a model, and none but those on the
// own account is for everybody.
func TestWhoTheToolsAreFor(t *testing.T) {
	own := map[string]bool{
		"nodkeep_me_update": true, "nodkeep_me_password": true, "nodkeep_me_signout": true, "nodkeep_me_delete": true,
		tokenCreateName: true, tokenListName: true, tokenUpdateName: true, tokenRotateName: true, tokenRevokeName: true,
		limitName: true, agreeName: true, withdrawName: true, mineName: true, askName: true, ownName: true,
	}
	for _, tool := range (Plugin{}).Tools() {
		if tool.Hidden == "" || tool.Core {
			t.Errorf("%s may be offered to a model", tool.Name)
		}
		if tool.Operator == own[tool.Name] {
			t.Errorf("%s is for operators: %v", tool.Name, tool.Operator)
		}
		// What hands out a secret that outlasts a session, or lets one do more, and
		// what is agreed to.
		if gives := tool.Name == tokenCreateName || tool.Name == tokenUpdateName || tool.Name == tokenRotateName || tool.Name == agreeName; gives != tool.SignedIn {
			t.Errorf("%s is for who has signed in: %v", tool.Name, tool.SignedIn)
		}
	}
	if _, err := tools.NewRegistry(Plugin{}); err != nil {
		t.Error(err)
	}
}
