/** The browser's offer to install the app, stored until the user takes it. */
import { useSyncExternalStore } from 'react'

interface InstallEvent extends Event {
  prompt: () => Promise<unknown>
}

let offer: InstallEvent | null = null
const listeners = new Set<() => void>()

function become(next: InstallEvent | null) {
  offer = next
  for (const listener of listeners) listener()
}

if (typeof window !== 'undefined') {
  window.addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    become(event as InstallEvent)
  })
  window.addEventListener('appinstalled', () => become(null))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the install function; null while the browser offers nothing. */
export function useInstall(): (() => void) | null {
  const present = useSyncExternalStore(subscribe, () => offer)
  if (present === null) return null
  return () => {
    void present.prompt().finally(() => become(null))
  }
}
