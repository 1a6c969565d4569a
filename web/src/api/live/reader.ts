/**
 * One connection to the service's events, by fetch: the token is in a header and in no address. A lost connection is
 * reopened with growing pauses, while the service can be reached. A refusal that a retry would not change is final.
 */
import { createParser } from 'eventsource-parser'
import { isReachable, subscribe as onConnectivity, reportFailed, reportReached } from '../connectivity'
import { Refused } from '../failures'
import { currentSession, end } from '../session'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** After being open for this long, pauses start short again. */
const STEADY_MS = 20_000
const ANSWER_MS = 15_000
/** Three heartbeats of the service: without any of them the connection is dead. */
const SILENCE_MS = 45_000

const UNAUTHORIZED = 401
const TOO_MANY = 429
const FAULTS = 500

export interface LiveEvent {
  readonly type: string
  readonly [member: string]: unknown
}

/** Callbacks for a connection's events. */
export interface StreamHandlers {
  opened: () => void
  lost: () => void
  onEvent: (event: LiveEvent) => void
}

export class Reader {
  private attempt: AbortController | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private pause = FIRST_PAUSE_MS
  private openedAt: number | null = null
  /** No attempt before this time, on the service's request. */
  private notBefore = 0
  private over = false
  private readonly unlisten: () => void

  constructor(
    private readonly token: string,
    private readonly on: StreamHandlers,
  ) {
    this.unlisten = onConnectivity(() => this.lookUp())
    this.connect()
  }

  close() {
    this.over = true
    this.unlisten()
    clearTimeout(this.timer)
    this.drop()
  }

  /** Reacts to the service's reachability. */
  private lookUp() {
    if (!isReachable()) {
      if (this.attempt !== null) this.lose()
    } else if (Date.now() >= this.notBefore) {
      this.pause = FIRST_PAUSE_MS
      this.connect()
    }
  }

  private connect() {
    if (this.over || this.attempt !== null || !isReachable()) return
    clearTimeout(this.timer)
    const attempt = new AbortController()
    this.attempt = attempt
    void this.read(attempt).then(wait => {
      if (this.attempt !== attempt) return
      this.lose()
      this.again(wait)
    })
  }

  private lose() {
    if (this.openedAt !== null && Date.now() - this.openedAt >= STEADY_MS) this.pause = FIRST_PAUSE_MS
    this.drop()
    this.on.lost()
  }

  private drop() {
    this.attempt?.abort()
    this.attempt = null
    this.openedAt = null
  }

  private again(wait: number) {
    if (this.over) return
    this.notBefore = Date.now() + wait
    const backoff = this.pause * (0.5 + Math.random() / 2)
    this.timer = setTimeout(() => this.connect(), wait + backoff)
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS)
  }

  /** Reads to the end; returns how many milliseconds to wait before a retry. */
  private async read(attempt: AbortController): Promise<number> {
    const giveUp = new Alarm(() => attempt.abort())
    giveUp.ringIn(ANSWER_MS)
    try {
      const answer = await this.ask(attempt.signal)
      if (this.attempt !== attempt) return 0
      if (!answer.ok) return this.refused(answer)
      if (answer.body === null || !isStream(answer)) return 0
      reportReached()
      this.openedAt = Date.now()
      this.on.opened()
      await this.follow(answer.body.getReader(), giveUp)
    } catch {
      if (this.attempt === attempt && this.openedAt === null) reportFailed()
    } finally {
      giveUp.off()
    }
    return 0
  }

  private ask(signal: AbortSignal): Promise<Response> {
    return fetch(new URL('/api/events', window.location.origin), {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${this.token}` },
      cache: 'no-store',
      signal,
    })
  }

  private async follow(body: ReadableStreamDefaultReader<Uint8Array>, giveUp: Alarm): Promise<void> {
    const decoder = new TextDecoder()
    const parser = createParser({
      onEvent: ({ data }) => {
        const event = eventOf(data)
        if (event !== null) this.on.onEvent(event)
      },
    })
    for (;;) {
      giveUp.ringIn(SILENCE_MS)
      const { done, value } = await body.read()
      if (done || this.over) return
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }

  private refused({ status, headers }: Response): number {
    if (status >= FAULTS) reportFailed()
    else reportReached()
    if (status < TOO_MANY) this.over = true
    // The answer to an earlier session must not end the present one.
    if (status === UNAUTHORIZED && currentSession()?.token === this.token) end('expired')
    return (new Refused(status, null, headers).retryAfter ?? 0) * 1_000
  }
}

/** Fires once, unless it is restarted. */
class Alarm {
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly ring: () => void) {}

  ringIn(milliseconds: number) {
    clearTimeout(this.timer)
    this.timer = setTimeout(this.ring, milliseconds)
  }

  off() {
    clearTimeout(this.timer)
  }
}

const isStream = (answer: Response) => answer.headers.get('Content-Type')?.startsWith('text/event-stream')

function eventOf(text: string): LiveEvent | null {
  try {
    const event: unknown = JSON.parse(text)
    return typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
      ? (event as LiveEvent)
      : null
  } catch {
    return null
  }
}
