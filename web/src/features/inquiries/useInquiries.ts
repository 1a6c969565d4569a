/** What visitors have sent, page by page, newest first; and its end. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, goneWith } from '../../api/client'
import { nextIn } from '../../api/paging'
import { useAct } from '../../patterns/useAct'
import { texts } from './texts'

const KEY = ['inquiries']

export function useInquiries() {
  return useInfiniteQuery({
    queryKey: KEY,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { before: pageParam }
      const answer = await api.GET('/api/inquiries', { params: { query }, signal })
      return { inquiries: dataOf(answer), next: nextIn(answer.response.headers.get('Link')) }
    },
    getNextPageParam: page => page.next,
  })
}

/** Whether the public forms send anything; undefined while nobody knows. */
export function useTaken(): boolean | undefined {
  const site = useQuery({
    queryKey: ['site'],
    queryFn: async ({ signal }) => dataOf(await api.GET('/api/site', { signal })),
  })
  return site.data?.inquiries
}

/** Deletes one, and has the list anew before it says so, whatever came of it. */
export function useRemoveInquiry(id: string) {
  const queries = useQueryClient()
  const remove = async () => goneWith(await api.DELETE('/api/inquiries/{id}', { params: { path: { id } } }))
  return useAct(
    () => remove().finally(() => queries.invalidateQueries({ queryKey: KEY })),
    texts.removeFailed,
  )
}
