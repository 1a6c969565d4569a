/** The service's event stream as a test lays it out: who opened it, what is said on it, and how it is refused. */
import { vi } from 'vitest'

/** A connection to it, seen from the service's end. */
export class Connection {
  closed = false
  readonly answer: Response
  private readonly encoder = new TextEncoder()
  private body: ReadableStreamDefaultController<Uint8Array> | null = null

  constructor(
    readonly token: string | null,
    signal: AbortSignal | null | undefined,
  ) {
    const stream = new ReadableStream<Uint8Array>({
      start: controller => {
        this.body = controller
      },
    })
    this.answer = new Response(stream, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
    this.write(': hello\n\n')
    signal?.addEventListener('abort', () => this.close(() => this.body?.error(signal.reason)))
  }

  say(event: unknown) {
    this.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  }

  write(text: string) {
    this.body?.enqueue(this.encoder.encode(text))
  }

  /** The service ends it. */
  end() {
    this.close(() => this.body?.close())
  }

  /** The network does. */
  breakOff() {
    this.close(() => this.body?.error(new TypeError('network error')))
  }

  private close(how: () => void) {
    if (!this.closed) how()
    this.closed = true
  }
}

export class Events {
  /** Every connection that was made, in order. */
  readonly opened: Connection[] = []
  /** The addresses that were asked, refused or not. */
  readonly asked: string[] = []
  /** How the next ones are answered instead. */
  readonly refusals: (() => Response | Promise<Response>)[] = []

  /** Those that are open. */
  get open(): Connection[] {
    return this.opened.filter(each => !each.closed)
  }

  answer(address: string, options: RequestInit | undefined): Promise<Response> {
    this.asked.push(address)
    const refusal = this.refusals.shift()
    if (refusal !== undefined) return Promise.race([refusal(), aborted(options?.signal)])
    const connection = new Connection(new Headers(options?.headers).get('Authorization'), options?.signal)
    this.opened.push(connection)
    return Promise.resolve(connection.answer)
  }
}

const aborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

/** Lays the stream out until the end of the test. Other calls go their way. */
export function layEvents(): Events {
  const events = new Events()
  const others = globalThis.fetch
  vi.stubGlobal('fetch', (asked: RequestInfo | URL, options?: RequestInit) => {
    const address = asked instanceof Request ? asked.url : String(asked)
    if (new URL(address, window.location.origin).pathname !== '/api/events') return others(asked, options)
    return events.answer(address, options)
  })
  return events
}
