/**
 * The cache of answers, and what empties it: the end of a session. What the device keeps goes with a logout, and when
 * somebody else logs in.
 */
import { QueryClient } from '@tanstack/react-query'
import { isReachable, subscribe as onConnectivity } from '../api/connectivity'
import { markPushed, pushed } from '../api/pushed'
import { currentEnding, currentSession, type Ending, subscribe as onSession } from '../api/session'

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A failed call says so and offers "Erneut versuchen"; whether the network is there, the call finds out itself.
        retry: false,
        networkMode: 'always',
        staleTime: 10_000,
        refetchOnReconnect: false,
      },
      // What changes something is never kept for later behind the user's back.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/**
 * Forgets what the device keeps of everybody, or of everybody but one, and takes no more push for them. Loaded only now:
 * the pages before the login have no use for a database.
 */
export async function wipeDevice(but?: string): Promise<void> {
  const taker = pushed()?.userId
  if (taker !== undefined && taker !== but) {
    markPushed(null)
    void import('../api/push').then(({ drop }) => drop()).catch(() => undefined)
  }
  const [{ wipe }, { discard }] = await Promise.all([
    import('../offline/snapshots'),
    import('../offline/outbox'),
  ])
  await wipe(but)
  await discard(but).catch(() => {
    // Nothing could be stored either.
  })
}

/** Returns how to stop. */
export function tieToSession(queries: QueryClient): () => void {
  let user = currentSession()?.userId ?? null
  const stopSession = onSession(() => {
    const now = currentSession()?.userId ?? null
    if (now === user) return
    user = now
    queries.clear()
    if (now === null) clearAppBadge()
    // Whose session has run out finds what was theirs after the next login, what they have not sent above all; nobody
    // else does, and whoever goes on purpose leaves nothing.
    if (now !== null) void wipeDevice(now)
    else if (!isToBeContinued(currentEnding())) void wipeDevice()
  })
  let reachable = isReachable()
  const stopNetwork = onConnectivity(() => {
    const back = isReachable() && !reachable
    reachable = isReachable()
    if (back) void queries.invalidateQueries()
  })
  return () => {
    stopSession()
    stopNetwork()
  }
}

/** Of who is logged out, nothing waits; what does at somebody's is said by their page. */
function clearAppBadge() {
  void navigator.clearAppBadge?.().catch(() => undefined)
}

/** Whether who was logged in has not said that they are done on this device. */
const isToBeContinued = (ending: Ending | null) => ending === 'expired' || ending === 'everywhere'
