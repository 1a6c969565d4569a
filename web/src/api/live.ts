/**
 * The service's events while the page is open. However many listeners and tabs there are, a browser has one connection
 * per session (`live/sharedStream.ts`); a tab hidden for a minute leaves it.
 *
 * An event is a hint to refetch. Listeners that may have missed one receive `OPENED`: at each opening of the stream,
 * and when the service requests it. New listeners fetch their data at the same moment, whether the stream is open or
 * not.
 */
import { useEffect, useEffectEvent, useState } from 'react'
import { watchAwake } from './live/awake'
import type { LiveEvent } from './live/reader'
import { SharedStream } from './live/sharedStream'
import { currentSession, subscribe as onSession } from './session'

export type { LiveEvent } from './live/reader'

/** The event to refetch everything. The service never sends it. */
export const OPENED: LiveEvent = { type: 'opened' }

/** How long a leaving page's subscription lasts for the next page. */
const LINGER_MS = 1_000

interface Listener {
  onEvent: (event: LiveEvent) => void
  onState: (open: boolean) => void
}

const listeners = new Set<Listener>()
let line: { token: string; close: () => void } | null = null
let open = false
let awake = true
let stopWatching: (() => void) | null = null

/**
 * Subscribes to all events that concern the user; returns the unsubscribe function. `onState` receives whether the
 * stream is open; it is not open before the first call. Both may be called before this returns.
 */
export function listen(
  onEvent: (event: LiveEvent) => void,
  onState: (open: boolean) => void = () => undefined,
): () => void {
  const listener = { onEvent, onState }
  listeners.add(listener)
  if (open) onState(true)
  stopWatching ??= watch()
  settle()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) setTimeout(settle, LINGER_MS)
  }
}

/** Listens to these types, and to `OPENED`; does not listen without types. Returns whether the stream is open. */
export function useLive(types: readonly string[] | undefined, onEvent: (event: LiveEvent) => void): boolean {
  const [isOpen, setOpen] = useState(false)
  const hear = useEffectEvent((event: LiveEvent) => {
    if (event === OPENED || types?.includes(event.type)) onEvent(event)
  })
  const listens = types !== undefined
  useEffect(() => (listens ? listen(event => hear(event), setOpen) : undefined), [listens])
  return isOpen
}

function watch(): () => void {
  const stopSession = onSession(settle)
  const stopAwake = watchAwake(now => {
    awake = now
    settle()
  })
  return () => {
    stopSession()
    stopAwake()
  }
}

/**
 * Opens or closes the stream as needed: for the present session, while there are listeners and the page may be visible.
 */
function settle() {
  const token = listeners.size > 0 && awake ? currentSession()?.token : undefined
  if (token !== line?.token) {
    line?.close()
    line = null
    lost()
    if (token !== undefined) line = lineOf(token)
  }
  if (listeners.size > 0) return
  stopWatching?.()
  stopWatching = null
}

function lineOf(token: string) {
  const sharedStream = new SharedStream(token, { opened, lost, onEvent: hear })
  return { token, close: () => sharedStream.close() }
}

function opened() {
  const wasOpen = open
  open = true
  for (const { onEvent, onState } of [...listeners]) {
    if (!wasOpen) onState(true)
    onEvent(OPENED)
  }
}

function lost() {
  if (!open) return
  open = false
  for (const { onState } of [...listeners]) onState(false)
}

function hear(event: LiveEvent) {
  const forwarded = event.type === 'catch_up' ? OPENED : event
  for (const { onEvent } of [...listeners]) onEvent(forwarded)
}
