// The tools that this person may use, as the server lists them.
import { list } from "./api.js"
import { lang } from "./i18n.js"
import { me } from "./store.js"

let known // {key, promise}

/** The tools; the last ones there were where the server is out of reach. */
export function tools() {
	const key = me.value.id + lang.value + me.value.operator
	if (known?.key !== key) known = { key, promise: list("/tools").then((page) => page.items) }
	known.promise.catch(() => (known = undefined))
	return known.promise
}

const forms = new Map()

/** One tool, its schemas with what people call their parts in their language. */
export function formOf(name) {
	const key = me.value.id + lang.value + name
	if (!forms.has(key)) forms.set(key, list(`/tools/${encodeURIComponent(name)}/form`))
	forms.get(key).catch(() => forms.delete(key))
	return forms.get(key)
}

/** The plugin that a tool is of: its name begins with it. */
export const pluginOf = (tool) => tool.name.split("_")[0]

/** What people call a part of a schema. */
export const labelOf = (name, schema) => schema?.title || words(name)

/** What people call one of the values that it may have. */
export const choiceOf = (schema, value) => schema.labels?.[value] || words(String(value))

/** A name of the program as words: "first_date" is "First date". */
export function words(name) {
	const text = name.replace(/_/g, " ").trim()
	return text.charAt(0).toUpperCase() + text.slice(1)
}
