/** The cache of answers, and what empties it: the end of a session. */
import { QueryClient } from '@tanstack/react-query'
import { isReachable, subscribe as onConnectivity } from '../api/connectivity'
import { onUser } from './device'

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

/** Returns how to stop. */
export function tieToSession(queries: QueryClient): () => void {
  const stopSession = onUser(() => queries.clear())
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
