/**
 * What the service tells while the page is open. However many listen, in however many tabs, a browser has one
 * connection for a session (`live/sharedStream.ts`); a tab that nobody has looked at for a minute gives up its part.
 *
 * An event is a hint to load again. Whoever may have missed one hears `OPENED`: at each opening of the stream, and when
 * the service says so. Whoever begins to listen asks for what they show in the same moment, open or not.
 */
import { useEffect, useEffectEvent, useState } from 'react'
import { watchAwake } from './live/awake'
import type { LiveEvent } from './live/reader'
import { SharedStream } from './live/sharedStream'
import { currentSession, subscribe as onSession } from './session'

export type { LiveEvent } from './live/reader'

/** Means: load again. No event of the service. */
export const OPENED: LiveEvent = { type: 'opened' }

/** For so long a page that goes leaves its part to the one that comes. */
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
 * Listens from now on to everything that concerns the user; returns how to stop. `onState` is told whether the stream
 * is open, which it is not before that. Both may be called before this returns.
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

/** Listens to these types, and to `OPENED`; without any not at all. Returns whether the stream is open. */
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

/** Has the line that there should be now: of the present session, while somebody listens and may be looking. */
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
