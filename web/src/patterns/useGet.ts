/**
 * One answer of the service, for a page: `data`, `error`, `isFetching`, `refetch`, which `QueryView` shows. `live`:
 * refetches on these event types (`api/live.ts`); `every`: refetches after this many milliseconds. `params` null: do
 * not fetch yet. `whole`: a list that may be long, and whose every row is needed.
 *
 * For lists page by page use `usePages`, for acts that refetch `useChange`, for offline reading `useStored`.
 */
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type Asking, type GetPath, reading, readingWhole } from '../api/reading'
import { useFollow } from './useFollow'

/** A query's key in the cache. With some of the params: every query of the path that has those. */
export const keyOf = <Path extends GetPath>(path: Path, params: Partial<Asking<Path>> = {}): QueryKey => [
  path,
  params,
]

export function useGet<Path extends GetPath>(
  path: Path,
  params: Asking<Path> | null,
  {
    live: types,
    every,
    whole = false,
  }: { live?: readonly string[]; every?: number | undefined; whole?: boolean } = {},
) {
  const queryKey = keyOf(path, params ?? {})
  const live = useFollow(types, { queryKey })
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const typedParams = params as Asking<Path>
      return (whole ? readingWhole : reading)(path, typedParams)(signal)
    },
    enabled: params !== null,
    refetchInterval: every ?? false,
  })
  return { ...query, live }
}
