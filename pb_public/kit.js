// What the pages of plugins are made with: the one module of the front end that they may import.
import { later } from "./lib/later.js"
import { unreached } from "./lib/problem.js"

export * from "./lib/html.js"
export { get, post, del, send, read, list } from "./lib/api.js"
export { ago, day, lang, moment, money, month, number, several, t } from "./lib/i18n.js"
export { css } from "./lib/css.js"
export { csv, csvMedia, save } from "./lib/file.js"
export { now, today } from "./lib/clock.js"
export { go, href, route } from "./lib/router.js"
export { hear } from "./lib/live.js"
export { useData } from "./lib/data.js"
export { over } from "./lib/over.js"
export { ask, kept, me, online, record, ticked } from "./lib/store.js"
export { act, tryAct, undo } from "./parts/act.js"
export { Choice, Field, Tick } from "./parts/field.js"
export { Icon } from "./parts/icon.js"
export { Chart, Ranks } from "./parts/chart.js"
export { Sheet } from "./parts/dialog.js"
export { because, Loaded, Trouble } from "./parts/state.js"
export { say } from "./parts/toast.js"

// What few pages need comes with the first that does.
export const Endless = later(() => import("./parts/list.js"), "Endless")
export const Diff = later(() => import("./parts/diff.js"), "Diff")
export const consent = async (...args) => (await import("./parts/consent.js").catch(unreached)).consent(...args)
export const upload = async (...args) => (await import("./lib/upload.js").catch(unreached)).upload(...args)
