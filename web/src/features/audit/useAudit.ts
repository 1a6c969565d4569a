/** The log of a company, page by page, newest first, and the kinds that occur in it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import { nextIn } from '../../api/paging'

export interface Filter {
  /** A user id; empty: anybody. */
  actor: string
  /** An action, or a prefix that ends in a dot; empty: anything. */
  action: string
  from: string
  to: string
}

export const NO_FILTER: Filter = { actor: '', action: '', from: '', to: '' }

export const isReversed = ({ from, to }: Filter) => from !== '' && to !== '' && from > to

export function useAudit(companyId: string, filter: Filter) {
  const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
  return useInfiniteQuery({
    queryKey: ['audit', companyId, filter],
    enabled: !isReversed(filter),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      const answer = await api.GET('/api/companies/{id}/audit', {
        params: { path: { id: companyId }, query: { ...asked, ...before } },
        signal,
      })
      return { entries: dataOf(answer), next: nextIn(answer.response.headers.get('Link')) }
    },
    getNextPageParam: page => page.next,
  })
}

export function useKinds(companyId: string) {
  return useQuery({
    queryKey: ['audit-kinds', companyId],
    queryFn: async ({ signal }) =>
      dataOf(
        await api.GET('/api/companies/{id}/audit/kinds', { params: { path: { id: companyId } }, signal }),
      ),
  })
}
