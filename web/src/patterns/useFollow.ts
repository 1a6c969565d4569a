/** Refetches the user's data whenever the service reports a change. */
import { type QueryClient, type QueryFilters, useQueryClient } from '@tanstack/react-query'
import { OPENED, useLive } from '../api/live'

type Which = Pick<QueryFilters, 'queryKey' | 'predicate'>

/** Refetches on these event types. `onLoaded` is called after each refetch. Returns whether the stream is open. */
export function useFollow(
  types: readonly string[] | undefined,
  which: Which,
  onLoaded?: () => void,
): boolean {
  const queries = useQueryClient()
  return useLive(types, event => {
    const loaded = event === OPENED ? refetchAfterwards(queries, which) : cancelAndRefetch(queries, which)
    void loaded.then(onLoaded)
  })
}

/** An answer in flight may be older than the change, so it is cancelled. */
export async function cancelAndRefetch(queries: QueryClient, which: Which): Promise<void> {
  await queries.cancelQueries(which)
  await queries.invalidateQueries(which)
}

/** After possibly missed events: an answer in flight is probably right, and worth showing meanwhile. */
async function refetchAfterwards(queries: QueryClient, which: Which): Promise<void> {
  const underWay = queries.getQueryCache().findAll({ ...which, fetchStatus: 'fetching' })
  await Promise.allSettled(underWay.map(query => query.promise))
  await queries.invalidateQueries(which)
}
