// What one section changes, the others ask for again.
import { signal, useEffect, useRef } from "../../lib/html.js"

const turn = signal(0)

/** Says that something of the own usage, limits, agreements or requests was changed here. */
export const turned = () => turn.value++

/** Has data asked for again then; what is shown stays until the new is there. */
export function useTurn(data) {
	const seen = useRef(turn.value)
	useEffect(() => {
		if (seen.current !== turn.value) data.reload()
		seen.current = turn.value
	}, [turn.value])
	return data
}
