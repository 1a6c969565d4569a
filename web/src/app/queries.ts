/**
 * The cache of answers, and what empties it: the end of a session, by whatever way, also wipes the device's store.
 */
import { QueryClient } from '@tanstack/react-query'
import { isReachable, subscribe as onConnectivity } from '../api/connectivity'
import { currentSession, subscribe as onSession } from '../api/session'

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

/** Forgets what the device keeps. Loaded only now: the pages before the login have no use for a database. */
export async function wipeDevice(): Promise<void> {
  const { wipe } = await import('../offline/snapshots')
  await wipe()
}

/** Returns how to stop. */
export function tieToSession(queries: QueryClient): () => void {
  let user = currentSession()?.userId ?? null
  const stopSession = onSession(() => {
    const now = currentSession()?.userId ?? null
    if (now === user) return
    user = now
    queries.clear()
    void wipeDevice()
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
