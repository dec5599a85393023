// What one section changes, the others ask for again.
import { signal } from "../../lib/html.js"

/** Another number whenever something of the own usage, limits, agreements or requests was changed here. */
export const turn = signal(0)
export const turned = () => turn.value++
