// What lies over the page: one stack, so that a question can be asked from anywhere.
import { html, signal } from "./html.js"

const stack = signal([])

/**
 * Shows a component over the page and waits: it is given done(value), which takes it away.
 * Gives the value, undefined where the person put it away.
 */
export function over(Component, props = {}) {
	return new Promise((resolve) => {
		const one = { Component, props, key: Symbol().toString() + Math.random() }
		one.done = (value) => {
			stack.value = stack.value.filter((o) => o !== one)
			resolve(value)
		}
		stack.value = [...stack.value, one]
	})
}

/** Where they are shown; once in the shell. */
export const Over = () => html`${stack.value.map((o) => html`<${o.Component} key=${o.key} ...${o.props} done=${o.done} />`)}`
