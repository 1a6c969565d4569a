/**
 * Background wake-ups (Background Sync): the browser wakes the service worker once there is a network, even without an
 * open page, and the worker ends the session named in the tag. Without support, the next start of the app does the
 * same. Unsent requests need a session, which a worker does not have: for those it wakes the pages.
 */
const TAG = 'left/'
const SEND = 'send'
const TOO_MANY = 429

interface SyncManager {
  register: (tag: string) => Promise<void>
}

/** Registers a wake-up for each of these sessions, by the hashes of their tokens. */
export function wakeFor(hashes: readonly string[]) {
  register(hashes.map(hash => TAG + hash))
}

/** Registers a wake-up of the pages to send unsent requests. */
export function wakeToSend() {
  register([SEND])
}

function register(tags: readonly string[]) {
  const all = async () => {
    const worker = await navigator.serviceWorker?.getRegistration()
    const sync = (worker as { sync?: SyncManager } | undefined)?.sync
    if (sync !== undefined) await Promise.all(tags.map(tag => sync.register(tag)))
  }
  all().catch(() => {
    // Forbidden, or without a worker.
  })
}

/** In the worker: whether the wake-up is for unsent requests. */
export const isToSend = (tag: string) => tag === SEND

/** In the worker: the session in a wake-up's tag, or null. */
export function hashOf(tag: string): string | null {
  return tag.startsWith(TAG) ? tag.slice(TAG.length) : null
}

/** In the worker: ends the session. Throws if the service is unreachable: the browser then tries again. */
export async function endSession(hash: string): Promise<void> {
  const answer = await fetch('/api/logout', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sessions: [hash] }),
  })
  if (answer.status >= 500 || answer.status === TOO_MANY)
    throw new Error(`the service answered ${answer.status}`)
}
