/**
 * What holds somebody on the page: a form that is not saved (`ask` before it is left), or a secret that is shown this
 * once (`stay`, until it is put away by its own button). Whoever has such a thing says so here; `app/frame/Routed` asks
 * or stays.
 */
import { useLayoutEffect } from 'react'

export type Hold = 'ask' | 'stay'

type Holder = () => Hold | null

const holders = new Set<Holder>()

/** What holds the page right now; a secret before a form. */
export function currentHold(): Hold | null {
  const holds = new Set([...holders].map(holder => holder()))
  return holds.has('stay') ? 'stay' : holds.has('ask') ? 'ask' : null
}

/** For as long as whoever calls this is shown. `holder` is asked at the moment of leaving, so it must not change. */
export function useHolder(holder: Holder) {
  // In the same turn as what is shown: nobody can be quicker.
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
