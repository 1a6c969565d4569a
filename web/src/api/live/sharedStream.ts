/**
 * A session's stream, shared by all tabs of the browser: the tab that holds the lock reads, and forwards events to the
 * others. When it closes or crashes, the browser gives the lock to the next.
 *
 * Lock and channel names contain a hash of the session, so that tabs of another session do not receive its events. The
 * hash is not secret: it is derived under its own label, and differs from the hash that ends a session. Without locks
 * or channels (no https, or forbidden), each tab reads for itself.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type LiveEvent, Reader, type StreamHandlers } from './reader'

/** Messages between tabs: the connection was opened, is open, or was lost; an event; a request for the state. */
type TabMessage = { say: 'opened' | 'open' | 'lost' | 'ask' } | { say: 'event'; event: LiveEvent }

export class SharedStream {
  private channel: BroadcastChannel | null
  private readonly leaving = new AbortController()
  private reads = false
  private open = false

  constructor(
    private readonly token: string,
    private readonly on: StreamHandlers,
  ) {
    const name = `stempelwerk/live/${markOf(token)}`
    this.channel = 'locks' in navigator ? channelOf(name) : null
    if (this.channel === null) void this.read()
    else this.share(name, this.channel)
  }

  close() {
    this.leaving.abort()
    this.channel?.close()
  }

  private share(name: string, channel: BroadcastChannel) {
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.onMessage(data)
    this.say({ say: 'ask' })
    const { signal } = this.leaving
    navigator.locks
      .request(name, { signal }, () => this.read())
      .catch(() => {
        if (signal.aborted) return
        channel.close()
        this.channel = null
        void this.read()
      })
  }

  /** Reads for all tabs, until this one leaves. */
  private read(): Promise<void> {
    const { signal } = this.leaving
    if (signal.aborted) return Promise.resolve()
    this.reads = true
    const reader = new Reader(this.token, {
      opened: () => this.tell({ say: 'opened' }),
      lost: () => this.tell({ say: 'lost' }),
      onEvent: event => this.tell({ say: 'event', event }),
    })
    return new Promise(resolve => {
      signal.addEventListener('abort', () => {
        reader.close()
        resolve()
      })
    })
  }

  private tell(said: TabMessage) {
    this.say(said)
    this.take(said)
  }

  private say(said: TabMessage) {
    this.channel?.postMessage(said)
  }

  private onMessage(said: TabMessage) {
    if (said.say !== 'ask') this.take(said)
    else if (this.reads && this.open) this.say({ say: 'open' })
  }

  private take(said: TabMessage) {
    if (said.say === 'event') {
      this.on.onEvent(said.event)
    } else if (said.say === 'lost') {
      this.open = false
      this.on.lost()
    } else if (said.say === 'opened' || !this.open) {
      this.open = true
      this.on.opened()
    }
  }
}

function channelOf(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}

const markOf = (token: string) => bytesToHex(sha256(utf8ToBytes(`stempelwerk/live/${token}`))).slice(0, 32)
