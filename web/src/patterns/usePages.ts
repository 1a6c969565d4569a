/** A list that the service returns page by page: all `rows` so far, for `QueryView`, and the `list`, for `Older`. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { dataOf } from '../api/client'
import { nextIn } from '../api/paging'
import { type Answer, type Asking, ask, type GetPath } from '../api/reading'
import type { QueryState } from './QueryView'
import { keyOf } from './useGet'

/** `params` null: do not fetch yet. */
export function usePages<Path extends GetPath>(path: Path, params: Asking<Path> | null) {
  const list = useInfiniteQuery({
    queryKey: keyOf(path, params ?? {}),
    enabled: params !== null,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const { query } = (params ?? {}) as { query?: object }
      const beforeQuery = pageParam === null ? {} : { before: pageParam }
      const answer = await ask(path, { ...params, query: { ...query, ...beforeQuery } } as never, signal)
      return { rows: dataOf(answer), next: nextIn(answer.response.headers.get('Link')) }
    },
    getNextPageParam: page => page.next,
  })
  const rows: QueryState<RowOf<Path>[]> = {
    data: list.data?.pages.flatMap(page => page.rows) as RowOf<Path>[] | undefined,
    // Loaded rows stay: `Older` reports a page that failed.
    error: list.data === undefined ? list.error : null,
    isFetching: list.isFetching,
    refetch: list.refetch,
  }
  return { list, rows }
}

type RowOf<Path extends GetPath> = Answer<Path> extends readonly (infer Row)[] ? Row : never
