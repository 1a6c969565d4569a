/**
 * Reloads the page after an update of the agent, since the page is the older agent's: once no answer or question is
 * shown.
 */
import { useEffect, useRef } from 'react'
import type { View } from './view'

const loadAnew = () => window.location.reload()

export function useNewest(view: View | null, reload = loadAnew) {
  /** The first view: from the agent that served this page. */
  const first = useRef<View | null>(null)
  useEffect(() => {
    first.current ??= view
    if (view !== null && view.version !== first.current?.version && isIdle(view)) reload()
  }, [view, reload])
}

/** No answer, notice, question or pressed choice is active. */
const isIdle = ({ answer, chosen, notice, adopting }: View) =>
  answer === null && chosen === null && (notice ?? null) === null && (adopting ?? null) === null
