/**
 * The service's clock, read from the `Date` header of its answers: a device's own clock may be wrong. The difference is
 * stored for a later start without a connection. Decision 16 gives the reasons.
 *
 * `performance.now()` reveals changes of the device's clock while a page is open. It does not count while the device
 * sleeps: a device's clock that runs ahead of it has slept, unless it runs ahead by exactly what it lacked.
 */
import { useSyncExternalStore } from 'react'
import { api } from './client'

/** Smaller differences are ignored. */
const TOLERANCE_MS = 120_000
/** Two measures of the same difference deviate by less. */
const JITTER_MS = 30_000
/** A longer round trip measures nothing: its half is only a guess. */
const SLOW_MS = 30_000
/** No service of this product has an earlier date. */
const EARLIEST = Date.UTC(2026, 0)
const STORED = 'clock'

interface Reading {
  /** How far the device's clock is ahead of the service's, in milliseconds. Negative for a slow clock. */
  ahead: number
  /** The device's clock at the time of the measure. */
  device: number
  /** `performance.now()` at the same time. */
  counted: number
}

const listeners = new Set<() => void>()
const begun = new WeakMap<Request, number>()
let reading = recall()

api.use({
  onRequest({ request }) {
    begun.set(request, performance.now())
  },
  onResponse({ request, response: { headers } }) {
    const took = performance.now() - (begun.get(request) ?? 0)
    const sent = Date.parse(headers.get('Date') ?? '')
    // `Age` marks the answer of a cache: its date is old.
    if (!(sent > EARLIEST) || took > SLOW_MS || headers.has('Age')) return
    // `Date` has no milliseconds: it is half a second early on average.
    take(Date.now() - took / 2 - sent - 500)
  },
})

/** Returns the present moment by the service's clock, in milliseconds; by the device's until an answer has come. */
export function serviceNow(): number {
  if (reading !== null) {
    const { ahead, device, counted } = reading
    const jump = Date.now() - device - (performance.now() - counted)
    if (jump < -TOLERANCE_MS || (ahead !== 0 && Math.abs(ahead + jump) < TOLERANCE_MS)) take(ahead + jump)
  }
  return Date.now() - clockAhead()
}

/** Returns how far the device's clock is ahead, in milliseconds; negative: late; 0 within two minutes. */
export const clockAhead = () => reading?.ahead ?? 0

export const useClockAhead = () => useSyncExternalStore(onClock, clockAhead)

/** Calls `listener` whenever the known difference changes. Returns how to stop. */
export function onClock(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function take(measured: number) {
  const currentAhead = clockAhead()
  const isKnown = Math.abs(measured - currentAhead) < JITTER_MS
  const ahead = isKnown ? currentAhead : Math.abs(measured) < TOLERANCE_MS ? 0 : measured
  reading = { ahead, device: Date.now(), counted: performance.now() }
  try {
    if (ahead === 0) localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, JSON.stringify(reading))
  } catch {
    // The browser forbids storage: the next start has to ask the service.
  }
  // Deferred: the caller may be a component that is being rendered.
  if (ahead !== currentAhead) queueMicrotask(tell)
}

function tell() {
  for (const listener of listeners) listener()
}

/** Reads what an earlier page measured, while the clock is more likely still wrong than put right since. */
function recall(): Reading | null {
  try {
    const { ahead, device } = JSON.parse(localStorage.getItem(STORED) ?? '{}') as Reading
    const passed = Date.now() - device
    if (!(passed >= 0 && passed < Math.abs(ahead))) return null
    return { ahead, device: Date.now(), counted: performance.now() }
  } catch {
    return null
  }
}
