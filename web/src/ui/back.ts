/** Holds the page against the browser's Back while something is shown that would be lost with it. */
import { useLayoutEffect } from 'react'

/** Where the page is held. */
let held: { href: string; state: unknown } | null = null

function stay(event: PopStateEvent) {
  if (held === null) return
  event.stopImmediatePropagation()
  window.history.pushState(held.state, '', held.href)
}

/** Called before there is a router: only who listens first can keep it from following Back. */
export function listenToBack() {
  window.addEventListener('popstate', stay)
}

export function useBackHeld(needed: boolean) {
  // In the same turn as what is shown: nobody can be quicker.
  useLayoutEffect(() => {
    if (!needed) return
    held = { href: window.location.href, state: window.history.state }
    return () => {
      held = null
    }
  }, [needed])
}
