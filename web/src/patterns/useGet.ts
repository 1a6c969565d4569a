/**
 * One answer of the service, for a page: `data`, `error`, `isFetching`, `refetch`, which `QueryView` shows, and whether it is
 * `live`: asked anew at these types of event (`api/live.ts`), or `every` so many milliseconds. `params` null: not asked yet.
 * `whole`: a list that may be very long, and of which every row is needed.
 *
 * A list that comes page by page is `usePages`'; what is done, and then asked for anew, `useChange`'s; what must be readable
 * without a connection `useStored`'s.
 */
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type Asking, type GetPath, reading, readingWhole } from '../api/reading'
import { useFollow } from './useFollow'

/** What a read is called in the cache. Without all of its params: every read of the path with those that are named. */
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
