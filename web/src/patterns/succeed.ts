/**
 * Shows a success message for 2.6 s: the only way to report success. Never for a secret or an error, and not where the
 * created object shows itself with its next step.
 *
 * Only the text waits here. Its view (`Successes`) is fetched with the first message.
 */
import { useSyncExternalStore } from 'react'

export const SUCCESS_MS = 2_600

export interface Success {
  key: number
  /** An empty text removes the message. */
  sentence: string
  /** How long it is shown, in milliseconds. */
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

/** A later action has failed: the message no longer holds. */
export function takeBack() {
  // Without a first message there is nothing to fetch.
  if (count > 0) succeed('')
}

/** Marks the message as shown. */
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
