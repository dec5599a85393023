package migrations

import "github.com/pocketbase/pocketbase/core"

// maxZone is more than the longest name of a time zone.
const maxZone = 64

// zoneUp gives members a time zone: where they are, or "" for that of each device.
func zoneUp(app core.App) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	users.Fields.Add(&core.TextField{Id: "nodkeep_user_time_zone", Name: "time_zone", Max: maxZone})
	return app.Save(users)
}

func zoneDown(app core.App) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	users.Fields.RemoveByName("time_zone")
	return app.Save(users)
}
