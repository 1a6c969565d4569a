/**
 * An event stream that stays open: a single-use ticket for each connection, back-off with jitter after a loss.
 *
 * A ticket opens one connection, so the browser's own reconnecting cannot work; at each opening, the first included,
 * `onEvent` is told to load again, since something may have been missed just before.
 */
import { api, dataOf } from './client'
import { isReachable, subscribe as onConnectivity } from './connectivity'
import { Refused } from './failures'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

export interface StreamEvent {
  type: string
}

interface StreamOptions {
  path: string
  onEvent: (event: StreamEvent) => void
  onState?: (open: boolean) => void
  random?: () => number
}

/** The synthetic event at each opening. */
export const OPENED: StreamEvent = { type: 'opened' }

/** Opens the stream; returns how to close it for good. */
export function openStream({ path, onEvent, onState, random = Math.random }: StreamOptions): () => void {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let pause = FIRST_PAUSE_MS
  let closed = false
  let connecting = false

  async function connect() {
    if (closed || connecting || source !== null) return
    connecting = true
    try {
      const { ticket } = dataOf(await api.POST('/api/tickets', { body: { path } }))
      if (!closed) listen(new EventSource(`${path}?token=${encodeURIComponent(ticket)}`))
    } catch (error) {
      // 401 has ended the session, which closes this stream; 403 and 404 will not change by asking again.
      if (!(error instanceof Refused && error.status < 429)) again()
    } finally {
      connecting = false
    }
  }

  function listen(opened: EventSource) {
    source = opened
    opened.onopen = () => {
      pause = FIRST_PAUSE_MS
      onState?.(true)
      onEvent(OPENED)
    }
    opened.onmessage = message => {
      const event = parse(message.data)
      if (event !== null) onEvent(event)
    }
    opened.onerror = () => {
      opened.close()
      source = null
      onState?.(false)
      again()
    }
  }

  function again() {
    if (closed || timer !== null) return
    timer = setTimeout(
      () => {
        timer = null
        void connect()
      },
      pause * (0.5 + random() / 2),
    )
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }

  function atOnce() {
    if (!isReachable() || document.visibilityState === 'hidden' || timer === null) return
    clearTimeout(timer)
    timer = null
    pause = FIRST_PAUSE_MS
    void connect()
  }

  const stopListening = onConnectivity(atOnce)
  document.addEventListener('visibilitychange', atOnce)
  void connect()

  return () => {
    closed = true
    stopListening()
    document.removeEventListener('visibilitychange', atOnce)
    if (timer !== null) clearTimeout(timer)
    source?.close()
  }
}

function parse(text: string): StreamEvent | null {
  try {
    const event: unknown = JSON.parse(text)
    return typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
      ? (event as StreamEvent)
      : null
  } catch {
    return null
  }
}
