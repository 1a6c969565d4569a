/** What is ticked and not saved, by company: whoever holds it loses nothing by looking at another company or page. */
import { useEffect, useState } from 'react'
import { type Draft, NOTHING } from './draft'

export type Drafts = ReturnType<typeof useDrafts>

export function useDrafts() {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map())
  const of = (companyId: string) => drafts.get(companyId) ?? NOTHING
  const change = (companyId: string, next: (known: Draft) => Draft) =>
    setDrafts(known => new Map(known).set(companyId, next(known.get(companyId) ?? NOTHING)))
  useAskedBeforeClosing([...drafts.values()].some(draft => draft.size > 0))
  return { of, change }
}

/** Lets the browser ask before the window goes, in its own words. */
function useAskedBeforeClosing(needed: boolean) {
  useEffect(() => {
    if (!needed) return
    const ask = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [needed])
}
