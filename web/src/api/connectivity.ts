/**
 * The service's reachability, learnt from the calls themselves.
 *
 * `navigator.onLine` only knows about the network card; it stays true when only the server is gone. So every call
 * reports its outcome. A failed call is no proof, since only that call may have failed: the service's health is then
 * checked, and again at intervals while it is out of reach.
 */
import { useSyncExternalStore } from 'react'

const FIRST_PROBE_MS = 2_000
const LONGEST_PROBE_MS = 30_000
const PROBE_LIMIT_MS = 10_000
/** After being reachable for this long, pauses start short again. */
const STEADY_MS = 60_000

let reachable = typeof navigator === 'undefined' || navigator.onLine
let unreachableSince = Number.NEGATIVE_INFINITY
let probe: ReturnType<typeof setTimeout> | null = null
/** Identifies the current probe, until it is answered, by the service or by any other call. */
let question: object | null = null
let pause = FIRST_PROBE_MS
const listeners = new Set<() => void>()

export function isReachable(): boolean {
  return reachable
}

export function reportReached() {
  if (probe !== null) clearTimeout(probe)
  probe = null
  question = null
  become(true)
}

/** Reports a failed call. */
export function reportFailed() {
  if (reachable) void ask()
}

export function reportUnreachable() {
  if (reachable && Date.now() - unreachableSince >= STEADY_MS) pause = FIRST_PROBE_MS
  become(false)
  if (probe !== null) return
  probe = setTimeout(ask, pause)
  pause = Math.min(pause * 2, LONGEST_PROBE_MS)
}

async function ask() {
  probe = null
  if (question !== null) return
  const ownQuestion = {}
  question = ownQuestion
  const well = await isWell()
  if (question !== ownQuestion) return
  question = null
  if (well) reportReached()
  else reportUnreachable()
}

async function isWell(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_LIMIT_MS)
    return (await fetch('/api/health', { cache: 'no-store', signal })).ok
  } catch {
    return false
  }
}

function become(next: boolean) {
  if (reachable === next) return
  reachable = next
  unreachableSince = Date.now()
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Also listens to the browser's own events. Call once; returns the stop function. */
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

/**
 * What is unreachable: the device's network, as the browser reports it, or only the service; null while the service
 * answers.
 */
export type Outage = 'network' | 'server' | null

const outage = (): Outage => (reachable ? null : navigator.onLine ? 'server' : 'network')

export function useOutage(): Outage {
  return useSyncExternalStore(followOutage, outage)
}

function followOutage(listener: () => void): () => void {
  const stop = subscribe(listener)
  window.addEventListener('offline', listener)
  window.addEventListener('online', listener)
  return () => {
    stop()
    window.removeEventListener('offline', listener)
    window.removeEventListener('online', listener)
  }
}
