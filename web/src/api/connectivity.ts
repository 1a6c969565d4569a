/**
 * Whether the service can be reached, learnt from the calls themselves.
 *
 * `navigator.onLine` only knows about the network card; it stays true when just the server is gone. So every call
 * reports what happened to it, and while the service is out of reach it is asked for its health now and then.
 */
import { useSyncExternalStore } from 'react'

const FIRST_PROBE_MS = 2_000
const LONGEST_PROBE_MS = 30_000

let reachable = typeof navigator === 'undefined' || navigator.onLine
let probe: ReturnType<typeof setTimeout> | null = null
let pause = FIRST_PROBE_MS
const listeners = new Set<() => void>()

export function isReachable(): boolean {
  return reachable
}

export function reportReached() {
  pause = FIRST_PROBE_MS
  if (probe !== null) clearTimeout(probe)
  probe = null
  become(true)
}

export function reportUnreachable() {
  become(false)
  if (probe !== null) return
  probe = setTimeout(ask, pause)
  pause = Math.min(pause * 2, LONGEST_PROBE_MS)
}

async function ask() {
  probe = null
  try {
    const answer = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    if (answer.ok) reportReached()
    else reportUnreachable()
  } catch {
    reportUnreachable()
  }
}

function become(next: boolean) {
  if (reachable === next) return
  reachable = next
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Listens to the browser's own word as well. Call once; returns how to stop. */
export function watchNetwork(): () => void {
  const lost = () => reportUnreachable()
  const back = () => {
    if (probe !== null) clearTimeout(probe)
    probe = null
    pause = FIRST_PROBE_MS
    if (!reachable) void ask()
  }
  window.addEventListener('offline', lost)
  window.addEventListener('online', back)
  if (!reachable) reportUnreachable()
  return () => {
    window.removeEventListener('offline', lost)
    window.removeEventListener('online', back)
    if (probe !== null) clearTimeout(probe)
    probe = null
  }
}

export function useReachable(): boolean {
  return useSyncExternalStore(subscribe, isReachable)
}
