// Package household is the plugin for what a household pays regularly:
// subscriptions with their dated prices and charges, categories and tags, and
// the settings that dates and amounts are read with.
//
// What is private exists for its owner only: the list and view rules of the
// collections say so once, and every tool reads through them.
package household

import (
	"embed"
	"io/fs"

	"github.com/nodkeep/nodkeep/tools"
)

// Plugin registers the household's collections, rules and tools.
type Plugin struct{}

var (
	_ tools.Plugin     = Plugin{}
	_ tools.Migrator   = Plugin{}
	_ tools.Ruler      = Plugin{}
	_ tools.Hooker     = Plugin{}
	_ tools.Policer    = Plugin{}
	_ tools.Importer   = Plugin{}
	_ tools.Exporter   = Plugin{}
	_ tools.Translator = Plugin{}
	_ tools.Webber     = Plugin{}
	_ tools.Presenter  = Plugin{}
	_ tools.Sourcer    = Plugin{}
	_ tools.Briefer    = Plugin{}
	_ tools.Prompter   = Plugin{}
	_ tools.Resourcer  = Plugin{}
	_ tools.Scoper     = Plugin{}
	_ tools.Finder     = Plugin{}
)

// The collections.
const (
	subscriptions = "household_subscriptions"
	prices        = "household_prices"
	charges       = "household_charges"
	categories    = "household_categories"
	settings      = "household_settings"
	methods       = "household_payment_methods"
	pauses        = "household_pauses"
	shares        = "household_shares"
	rates         = "household_rates"
	reminders     = "household_reminders"
)

// Name is the folder and the prefix of tools, collections and texts.
func (Plugin) Name() string { return "household" }

// Tools lists the use cases.
func (Plugin) Tools() []tools.Tool {
	return []tools.Tool{
		overviewTool(), upcomingTool(), spendingTool(), priceChangesTool(), savingsTool(),
		subscriptionListTool(), subscriptionGetTool(),
		subscriptionAddTool(), subscriptionUpdateTool(),
		subscriptionCancelTool(), subscriptionDeleteTool(),
		subscriptionTermsTool(), noticeGivenTool(), trialDecideTool(), logoSetTool(),
		subscriptionPauseTool(), subscriptionResumeTool(),
		subscriptionShareTool(), shareOverviewTool(), subscriptionReplaceTool(),
		bulkUpdateTool(), bulkDeleteTool(),
		bulkPauseTool(), bulkResumeTool(), bulkCancelTool(), handOverTool(),
		priceSetTool(), priceDeleteTool(),
		chargeListTool(), calendarTool(),
		chargeConfirmTool(), chargesConfirmTool(), chargeSkipTool(),
		chargeAddTool(), chargeUpdateTool(), chargeDeleteTool(),
		categoryListTool(), categoryAddTool(), categoryUpdateTool(), categoryMergeTool(), categoryDeleteTool(),
		methodListTool(), methodAddTool(), methodUpdateTool(), methodMergeTool(), methodDeleteTool(),
		settingsGetTool(), settingsUpdateTool(),
		searchTool(),
		tagListTool(), tagRenameTool(), tagDeleteTool(),
		rateListTool(), rateImportTool(),
		briefingTool(), reminderListTool(), reminderDoneTool(),
		importMatchTool(), importApplyTool(),
		exportTool(), restoreTool(),
	}
}

// Imports says what becomes of recurring payments found in a file.
func (Plugin) Imports() []tools.Import {
	return []tools.Import{{
		Name: "household_subscriptions", Title: "household.import",
		Match: "household_import_match", Apply: "household_import_apply", Home: "household_settings_get",
	}}
}

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func (Plugin) Locales() fs.FS { return tools.LocalesIn(locales) }
