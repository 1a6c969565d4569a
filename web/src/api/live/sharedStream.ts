/**
 * A session's line, on which all tabs of the browser are that listen: the one that holds the lock reads, and tells the
 * others what it hears. When it goes, in whatever way, the browser gives the lock to the next.
 *
 * Lock and channel are called by a mark of the session, so that tabs of another one hear nothing. The mark is no secret:
 * it is a hash under a name of its own, and not the one by which a session can be ended. Where a browser has no locks or
 * no channels (without https, or because it forbids them), each tab reads by itself.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type LiveEvent, Reader, type StreamHandlers } from './reader'

/** What tabs say to each other: that a connection was opened, is open, or was lost; an event; and who asks which. */
type TabMessage = { say: 'opened' | 'open' | 'lost' | 'ask' } | { say: 'event'; event: LiveEvent }

export class SharedStream {
  private channel: BroadcastChannel | null
  private readonly leaving = new AbortController()
  private reads = false
  private open = false

  constructor(
    private readonly token: string,
    private readonly handlers: StreamHandlers,
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
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.onTabMessage(data)
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

  /** Reads for all, until this tab leaves. */
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

  private onTabMessage(said: TabMessage) {
    if (said.say !== 'ask') this.take(said)
    else if (this.reads && this.open) this.say({ say: 'open' })
  }

  private take(said: TabMessage) {
    if (said.say === 'event') {
      this.handlers.onEvent(said.event)
    } else if (said.say === 'lost') {
      this.open = false
      this.handlers.lost()
    } else if (said.say === 'opened' || !this.open) {
      this.open = true
      this.handlers.opened()
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
