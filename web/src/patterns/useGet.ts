/**
 * What a page reads of the service, and asks for anew. `Served` shows it in each of its states.
 *
 *   useGet(path, params, { live })     one answer: `data`, `error`, `isFetching`, `refetch`, and whether it is `live`:
 *                                      asked anew at these types of event (`docs/design/api.md`, section on events).
 *                                      `params` null: not asked yet
 *   usePages(path, params)             a list that the service tells page by page: all `rows` so far, for `Served`, and
 *                                      the `list`, for `Older`
 *   useChange(act, failed, reads)      an act (`useAct`) after which these are asked for anew, whatever came of it: who
 *                                      was refused may have seen an old one
 *
 * What must be readable without a connection is `useStored`'s.
 */
import { type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, type Asking, type GetPath, get, reading } from '../api/client'
import { nextIn } from '../api/paging'
import type { Asked } from './Served'
import { type Acting, useAct } from './useAct'
import { useFollow } from './useFollow'

/** What a read is called in the cache. Without all of its params: every read of the path with those that are named. */
export const keyOf = <Path extends GetPath>(path: Path, params: Partial<Asking<Path>> = {}): QueryKey => [
  path,
  params,
]

export function useGet<Path extends GetPath>(
  path: Path,
  params: Asking<Path> | null,
  { live: types }: { live?: readonly string[] } = {},
) {
  const queryKey = keyOf(path, params ?? {})
  const live = useFollow(types, { queryKey })
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => reading(path, params as Asking<Path>)(signal),
    enabled: params !== null,
  })
  return { ...query, live }
}

export function usePages<Path extends GetPath>(path: Path, params: Asking<Path> | null) {
  const list = useInfiniteQuery({
    queryKey: keyOf(path, params ?? {}),
    enabled: params !== null,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const { query } = (params ?? {}) as { query?: object }
      const before = pageParam === null ? {} : { before: pageParam }
      const { data, headers } = await get(
        path,
        { ...params, query: { ...query, ...before } } as never,
        signal,
      )
      return { rows: data, next: nextIn(headers.get('Link')) }
    },
    getNextPageParam: page => page.next,
  })
  const rows: Asked<RowOf<Path>[]> = {
    data: list.data?.pages.flatMap(page => page.rows) as RowOf<Path>[] | undefined,
    // What is there stays: of what did not come `Older` speaks, where it is missing.
    error: list.data === undefined ? list.error : null,
    isFetching: list.isFetching,
    refetch: list.refetch,
  }
  return { list, rows }
}

type RowOf<Path extends GetPath> = Answer<Path> extends readonly (infer Row)[] ? Row : never

export function useChange<Input, Output extends object | boolean | string>(
  act: (input: Input) => Promise<Output>,
  failed: string,
  reads: readonly QueryKey[],
): Acting<Input, Output> {
  const queries = useQueryClient()
  const anew = () => Promise.all(reads.map(queryKey => queries.invalidateQueries({ queryKey })))
  return useAct((input: Input) => act(input).finally(anew), failed)
}
