// Package migrations makes the collections of the core. A migration that has
// run somewhere is never edited: a change is a new one.
package migrations

import "github.com/pocketbase/pocketbase/core"

// List is the core's migrations, in order. Their file names are unique across
// all plugins, as PocketBase keeps them in one list.
func List() core.MigrationsList {
	var list core.MigrationsList
	list.Register(membersUp, membersDown, "1764300000_nodkeep_members.go")
	list.Register(booksUp, booksDown, "1764300001_nodkeep_books.go")
	list.Register(privateUp, privateDown, "1764300002_nodkeep_private.go")
	list.Register(agentsUp, agentsDown, "1764300003_nodkeep_agents.go")
	list.Register(assistantsUp, assistantsDown, "1764300004_nodkeep_assistants.go")
	list.Register(conversationsUp, conversationsDown, "1764300005_nodkeep_conversations.go")
	list.Register(activityUp, activityDown, "1764300006_nodkeep_activity.go")
	list.Register(zoneUp, zoneDown, "1764300007_nodkeep_zone.go")
	return list
}
