/** The query cache, its clearing at the end of a session, and the clock from the service's answers. */
import { QueryClient } from '@tanstack/react-query'
import { isReachable, subscribe as onConnectivity } from '../api/connectivity'
import { onClock, serviceNow } from '../api/serviceClock'
import { setClock } from '../ui/now'
import { onUser } from './device'

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A failed call shows an error with "Erneut versuchen"; calls find out themselves whether the network is up.
        retry: false,
        networkMode: 'always',
        staleTime: 10_000,
        refetchOnReconnect: false,
      },
      // Mutations are never queued without the user's knowledge.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** Returns the stop function. */
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

/**
 * Sets the pages' clock to the service's. A change of the known difference invalidates all answers: their age was
 * computed from the device's clock. Returns the stop function.
 */
export function tieToClock(queries: QueryClient): () => void {
  setClock(serviceNow)
  return onClock(() => void queries.invalidateQueries())
}
