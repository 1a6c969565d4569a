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
const HIDDEN_MS = 60_000

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
export function openStream(options: StreamOptions): () => void {
  const stream = new Stream(options)
  const stopListening = onConnectivity(stream.lookUp)
  document.addEventListener('visibilitychange', stream.lookUp)
  stream.connect()
  return () => {
    stopListening()
    document.removeEventListener('visibilitychange', stream.lookUp)
    stream.close()
  }
}

class Stream {
  private source: EventSource | null = null
  private timer: ReturnType<typeof setTimeout> | null = null
  private hidden: ReturnType<typeof setTimeout> | null = null
  private pause = FIRST_PAUSE_MS
  private wanted = true
  private connecting = false
  private refused = false
  private readonly options: StreamOptions

  constructor(options: StreamOptions) {
    this.options = options
  }

  connect() {
    if (!this.wanted || this.connecting || this.source !== null) return
    this.connecting = true
    void this.withTicket().finally(() => {
      this.connecting = false
    })
  }

  close() {
    this.wanted = false
    if (this.timer !== null) clearTimeout(this.timer)
    if (this.hidden !== null) clearTimeout(this.hidden)
    this.timer = null
    this.hidden = null
    this.drop()
  }

  /** The service was found or lost, or the page was shown or hidden. */
  readonly lookUp = () => {
    if (document.visibilityState === 'hidden') {
      this.hidden ??= setTimeout(() => this.sleep(), HIDDEN_MS)
      return
    }
    if (this.hidden !== null) clearTimeout(this.hidden)
    this.hidden = null
    this.wanted = true
    if (!isReachable() || this.refused || this.source !== null) return
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    this.pause = FIRST_PAUSE_MS
    this.connect()
  }

  /** Nobody looks: a browser has few connections to a service, and a phone a small battery. */
  private sleep() {
    this.close()
    this.options.onState?.(false)
  }

  private drop() {
    this.source?.close()
    this.source = null
  }

  private async withTicket() {
    const { path } = this.options
    try {
      const { ticket } = dataOf(await api.POST('/api/tickets', { body: { path } }))
      if (this.wanted) this.listen(new EventSource(`${path}?token=${encodeURIComponent(ticket)}`))
    } catch (error) {
      // 401 has ended the session, which closes this stream; 403 and 404 will not change by asking again.
      this.refused = error instanceof Refused && error.status < 429
      if (!this.refused) this.again()
    }
  }

  private listen(opened: EventSource) {
    const { onEvent, onState } = this.options
    this.source = opened
    opened.onopen = () => {
      this.pause = FIRST_PAUSE_MS
      onState?.(true)
      onEvent(OPENED)
    }
    opened.onmessage = message => {
      const event = parse(message.data)
      if (event !== null) onEvent(event)
    }
    opened.onerror = () => {
      if (this.source !== opened) return
      this.drop()
      onState?.(false)
      this.again()
    }
  }

  private again() {
    if (!this.wanted || this.timer !== null) return
    const { random = Math.random } = this.options
    this.timer = setTimeout(
      () => {
        this.timer = null
        this.connect()
      },
      this.pause * (0.5 + random() / 2),
    )
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS)
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
