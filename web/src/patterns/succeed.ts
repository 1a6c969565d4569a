/**
 * Says that something is done, and goes by itself after 2.6 s: the one way in which the app says so. Never for a secret,
 * nor for what went wrong; and not where what was made shows itself, with what to do next.
 *
 * Only the words wait here. What shows them (`Successes`) is fetched with the first of them.
 */
import { useSyncExternalStore } from 'react'

export const SUCCESS_MS = 2_600

export interface Success {
  key: number
  /** Empty: what was said before is taken back. */
  sentence: string
  /** For how long it is seen, in milliseconds. */
  shownMs: number
}

let last: Success | null = null
let count = 0
const listeners = new Set<() => void>()

export function succeed(sentence: string, shownMs: number = SUCCESS_MS) {
  count += 1
  last = { key: count, sentence, shownMs }
  for (const listener of listeners) listener()
}

/** What was said stands no longer: what was done after it has failed. */
export function takeBack() {
  // Before the first word there is nothing to be fetched for this.
  if (count > 0) succeed('')
}

/** It is shown now, and is not shown again. */
export function forgetLast() {
  last = null
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useLastSuccess(): Success | null {
  return useSyncExternalStore(
    subscribe,
    () => last,
    () => null,
  )
}
