/** Whether this browser has the app, or will have it. */
import { useSyncExternalStore } from 'react'
import { useSession } from '../api/session'

/** Whether a worker serves this page already, or it was opened from the home screen. */
export function hasApp(): boolean {
  return (
    window.matchMedia('(display-mode: standalone)').matches || Boolean(navigator.serviceWorker?.controller)
  )
}

let isWanted = false
const listeners = new Set<() => void>()

/** For pages that visitors, too, can read offline after the first visit. */
export function wantApp() {
  isWanted = true
  for (const listener of listeners) listener()
}

/** Visitors who only look around do not download the whole app. */
export function useAppWanted(): boolean {
  const isAppWanted = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isWanted,
    () => false,
  )
  return useSession() !== null || isAppWanted
}
