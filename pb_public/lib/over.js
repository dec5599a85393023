// What lies over the page: one stack, so that a question can be asked from anywhere.
import { html, signal, useEffect, useErrorBoundary } from "./html.js"

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

/** Where they are shown; once in the shell. What cannot be drawn is taken away: nothing lies dead over the page. */
export const Over = ({ broken }) => html`${stack.value.map((o) => html`<${One} key=${o.key} one=${o} broken=${broken} />`)}`

function One({ one, broken }) {
	const [problem] = useErrorBoundary()
	useEffect(() => {
		if (!problem) return
		one.done()
		broken()
	}, [problem])
	return problem ? null : html`<${one.Component} ...${one.props} done=${one.done} />`
}
