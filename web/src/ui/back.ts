/** Holds the page against the browser's Back while something is shown that would be lost with it. */
import { useEffect } from 'react'

export function useBackHeld(held: boolean) {
  useEffect(() => {
    if (!held) return
    const { href } = window.location
    const { state } = window.history
    const stay = (event: PopStateEvent) => {
      // Heard before the router, which therefore leaves the page where it is.
      event.stopImmediatePropagation()
      window.history.pushState(state, '', href)
    }
    window.addEventListener('popstate', stay, { capture: true })
    return () => window.removeEventListener('popstate', stay, { capture: true })
  }, [held])
}
