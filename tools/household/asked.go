package household

import "strings"

// Asked gives the words by which people ask for a tool: the tools of which
// titles and help do not have them.
func (p Plugin) Asked() map[string]string {
	keys := map[string]string{}
	for name := range strings.FieldsSeq(asked) {
		keys[p.Name()+"_"+name] = "household.asked." + name
	}
	return keys
}

// asked are the tools that have such words.
const asked = `
briefing calendar category_add category_delete category_list category_update charge_add charge_confirm
charge_delete charge_list charge_skip charges_bulk_confirm export hand_over import_apply
logo_set notice_given overview payment_method_add payment_method_delete payment_method_list
payment_method_merge price_changes price_delete price_set rate_list reminder_done reminder_list
restore savings search settings_get settings_update share_overview spending subscription_add
subscription_cancel subscription_delete subscription_get subscription_list subscription_pause
subscription_replace subscription_resume subscription_share subscription_terms
subscription_update subscriptions_bulk_update tag_delete tag_list trial_decide upcoming`
