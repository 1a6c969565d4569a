/** Whether the window is wide enough for a table beside the sidebar. */
import { useSyncExternalStore } from 'react'

const WIDE = '(min-width: 1100px)'

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches)
}
