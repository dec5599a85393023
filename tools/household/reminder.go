package household

// The kinds of reminders.
const (
	remindCharge  = "charge"
	remindTrial   = "trial"
	remindNotice  = "notice"
	remindPrice   = "price"
	remindUnusual = "unusual"
)

func reminderKinds() []string {
	return []string{remindCharge, remindTrial, remindNotice, remindPrice, remindUnusual}
}
