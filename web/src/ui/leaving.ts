/**
 * Keeps the user on the page: for an unsaved form (`ask` before leaving), or a secret that is shown only once (`stay`,
 * until its own button closes it). Such components register here; `app/frame/Routed` asks or stays.
 */
import { useLayoutEffect } from 'react'

export type Hold = 'ask' | 'stay'

type Holder = () => Hold | null

const holders = new Set<Holder>()

/** The page's current hold; a secret takes precedence over a form. */
export function currentHold(): Hold | null {
  const holds = new Set([...holders].map(holder => holder()))
  return holds.has('stay') ? 'stay' : holds.has('ask') ? 'ask' : null
}

/**
 * Registers `holder` while the calling component is shown. It is called at the moment of leaving, so it must not
 * change.
 */
export function useHolder(holder: Holder) {
  // A layout effect, so that the hold exists before the user can react.
  useLayoutEffect(() => {
    if (holders.size === 0) window.addEventListener('beforeunload', askTheBrowser)
    holders.add(holder)
    return () => {
      holders.delete(holder)
      if (holders.size === 0) window.removeEventListener('beforeunload', askTheBrowser)
    }
  }, [holder])
}

/** Lets the browser ask before the window goes, in its own words. */
function askTheBrowser(event: Event) {
  if (currentHold() !== null) event.preventDefault()
}

const stay = () => 'stay' as const
const leave = () => null

export function useStay(needed: boolean) {
  useHolder(needed ? stay : leave)
}
