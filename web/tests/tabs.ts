/** What the browser has for its tabs together: locks, given in the order of asking, and channels. jsdom has neither. */
import { vi } from 'vitest'

interface Waiting {
  grant: () => void
  signal: AbortSignal | undefined
}

class Locks {
  private readonly held = new Set<string>()
  private readonly waiting = new Map<string, Waiting[]>()

  request(name: string, { signal }: LockOptions, work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const grant = () => {
        this.held.add(name)
        void Promise.resolve()
          .then(work)
          .finally(() => {
            resolve()
            this.pass(name)
          })
      }
      signal?.addEventListener('abort', () => reject(signal.reason))
      if (signal?.aborted) reject(signal.reason)
      else if (this.held.has(name)) this.waiting.set(name, [...this.queue(name), { grant, signal }])
      else grant()
    })
  }

  private pass(name: string) {
    this.held.delete(name)
    const next = this.queue(name).filter(({ signal }) => !signal?.aborted)
    this.waiting.set(name, next.slice(1))
    next[0]?.grant()
  }

  private queue(name: string): Waiting[] {
    return this.waiting.get(name) ?? []
  }
}

class Channel {
  static readonly all = new Set<Channel>()
  /** Everything that was ever said on one, and the names of all. */
  static readonly said: unknown[] = []
  onmessage: ((message: { data: unknown }) => void) | null = null

  constructor(readonly name: string) {
    Channel.all.add(this)
    Channel.said.push(name)
  }

  postMessage(data: unknown) {
    const copy: unknown = structuredClone(data)
    Channel.said.push(copy)
    const others = [...Channel.all].filter(each => each !== this && each.name === this.name)
    for (const other of others) {
      queueMicrotask(() => {
        if (Channel.all.has(other)) other.onmessage?.({ data: copy })
      })
    }
  }

  close() {
    Channel.all.delete(this)
  }
}

/** Gives all tabs of the test locks and channels; returns what was said on these. */
export function layTabs(): readonly unknown[] {
  Channel.all.clear()
  Channel.said.length = 0
  Object.defineProperty(navigator, 'locks', { value: new Locks(), configurable: true })
  vi.stubGlobal('BroadcastChannel', Channel)
  return Channel.said
}

/** As without https. */
export function takeLocks() {
  Reflect.deleteProperty(navigator, 'locks')
}

/** A tab of its own: modules that share nothing with those of another tab. */
export async function openTab() {
  vi.resetModules()
  const [live, session, connectivity] = await Promise.all([
    import('../src/api/live'),
    import('../src/api/session'),
    import('../src/api/connectivity'),
  ])
  return { live, session, connectivity }
}
