// Everything that a component is made of, from one place: templates, state, hooks.
import { h, Fragment, render } from "../third_party/preact.js"
import htm from "../third_party/htm.js"

export const html = htm.bind(h)
export { h, Fragment, render }
export { useCallback, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useRef, useState } from "../third_party/hooks.js"
export { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "../third_party/signals.js"
