// What a JSON schema wants of a person, and what they typed as it wants it.

const typeOf = (schema) => (Array.isArray(schema.type) ? schema.type.find((x) => x !== "null") : schema.type)

/** Which field a part of a schema is. */
export function kindOf(name, schema) {
	const type = typeOf(schema)
	if (schema.enum) return "choice"
	if (type === "boolean" || type === "integer" || type === "number") return type
	if (type === "string") {
		if (schema.writeOnly) return name === "code" ? "once" : "secret" // what is good once is not to be kept
		if (schema.format === "date" || /\\d\{4\}-\\d\{2\}-\\d\{2\}/.test(schema.pattern || "") || /YYYY-MM-DD/.test(schema.description || "") || /(^|_)date$|_on$/.test(name)) return "date"
		if (/YYYY-MM(?!-)/.test(schema.description || "")) return "month"
		return /^(notes?|text|description|reason)$/.test(name) ? "long" : "text"
	}
	if (type === "array" && schema.items) {
		const inner = typeOf(schema.items)
		if (schema.items.enum) return "choices"
		if (inner === "string" || inner === "integer" || inner === "number") return "list"
		if (inner === "object" && drawable(schema.items)) return "rows"
	}
	if (type === "object" && schema.properties?.data?.contentEncoding === "base64" && schema.properties.name) return "file"
	return type === "object" && drawable(schema) ? "object" : "json"
}

const drawable = (schema) => Object.keys(schema.properties || {}).length > 0

/** What a new row begins as. */
export const starting = (schema) => (typeOf(schema) === "object" ? {} : "")

/** The other way round: arguments as somebody would have typed them. What a schema does not name is left out. */
export function typedOf(schema, args = {}) {
	const out = {}
	for (const [name, part] of Object.entries(schema.properties || {})) if (args[name] !== undefined && args[name] !== null) out[name] = typed(name, part, args[name])
	return out
}

function typed(name, schema, value) {
	switch (kindOf(name, schema)) {
		case "list":
		case "rows":
			return Array.isArray(value) ? value.map((v) => (kindOf(name, schema) === "rows" ? typedOf(schema.items, v) : String(v))) : undefined
		case "object":
			return typedOf(schema, value)
		case "choices":
			return value
		case "json":
			return JSON.stringify(value, null, 1)
	}
	return typeof value === "object" ? "" : String(value)
}

/** What was typed, as the schema wants it. What is empty is left out; what cannot be read throws {name}. */
export async function argsOf(schema, typed) {
	const out = {}
	for (const [name, part] of Object.entries(schema.properties || {})) {
		const value = await valueOf(name, part, typed[name])
		if (value !== undefined) out[name] = value
		else if (schema.required?.includes(name) && kindOf(name, part) === "boolean") out[name] = false
	}
	return out
}

async function valueOf(name, schema, value) {
	if (value === undefined || value === "" || value === null) return undefined
	switch (kindOf(name, schema)) {
		case "boolean":
			return value === "true"
		case "integer":
		case "number":
			return Number(value)
		case "choice":
			return schema.enum.find((v) => String(v) === value)
		case "choices":
			return value.length ? value : undefined
		case "list":
		case "rows": {
			const all = await Promise.all(value.map((v) => (kindOf(name, schema) === "rows" ? argsOf(schema.items, v) : valueOf(name, schema.items, v))))
			const said = all.filter((v) => v !== undefined && (typeof v !== "object" || Object.keys(v).length))
			return said.length ? said : undefined
		}
		case "object": {
			const all = await argsOf(schema, value)
			return Object.keys(all).length ? all : undefined
		}
		case "file":
			return { name: value.name, data: await base64(value) }
		case "json":
			try {
				return JSON.parse(value)
			} catch {
				throw Object.assign(new Error(name), { field: name })
			}
	}
	return value
}

const base64 = (file) =>
	new Promise((resolve, reject) => {
		const reader = new FileReader()
		reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1))
		reader.onerror = () => reject(reader.error)
		reader.readAsDataURL(file)
	})

/** The field that an error names: one of the names of a schema among what its text was made of. */
export function fieldOf(schema, text) {
	const names = new Set()
	const walk = (s) => {
		for (const [name, part] of Object.entries(s?.properties || {})) {
			names.add(name)
			walk(part)
		}
		if (s?.items) walk(s.items)
	}
	walk(schema)
	const find = (x) => {
		for (const arg of x?.args || []) {
			const name = typeof arg === "string" ? (names.has(arg) ? arg : "") : find(arg)
			if (name) return name
		}
		return ""
	}
	return find(text)
}
