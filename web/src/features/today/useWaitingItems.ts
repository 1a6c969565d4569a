/**
 * The waiting items, one query made of several: fetches only kinds that the day counts, and so only enabled modules.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, dataOf } from '../../api/client'
import type { Today } from '../../entities/today/useToday'
import type { QueryState } from '../../patterns/QueryView'
import { useGet } from '../../patterns/useGet'
import { type Item, itemsOf } from './waiting'

/** Further items are decided on their own pages. */
const MOST_ITEMS = 100
/** Stamps do not change them, and stamps come by the hundred in a morning. */
const ofThePlan = { live: ['plan_update'] }
/** Queries that stamps change. They are refetched after the day, so that presence comes first. */
const OF_STAMPS = [
  '/api/companies/{companyId}/time-corrections',
  '/api/companies/{id}/held-stamps',
  '/api/companies/{id}/review',
] as const

/** `at`: the time of the day's answer. */
export function useWaitingItems(companyId: string, { waiting }: Today, at: number): QueryState<Item[]> {
  const cache = useQueryClient()
  const lastAt = useRef(at)
  useEffect(() => {
    if (lastAt.current === at) return
    lastAt.current = at
    for (const path of OF_STAMPS) void cache.invalidateQueries({ queryKey: [path] })
  }, [cache, at])
  const ofPlan = { companyId }
  const id = { id: companyId }
  const some = <Params>(count: number | null | undefined, params: Params) =>
    (count ?? 0) > 0 ? params : null
  const queriesByKind = {
    absences: useGet(
      '/api/companies/{companyId}/absences',
      some(waiting.absences, { path: ofPlan, query: { status: 'open' as const } }),
      ofThePlan,
    ),
    pending: useGet(
      '/api/companies/{companyId}/vacation-requests',
      some(waiting.requests, { path: ofPlan, query: { status: 'pending' as const } }),
      ofThePlan,
    ),
    cancelling: useGet(
      '/api/companies/{companyId}/vacation-requests',
      some(waiting.requests, { path: ofPlan, query: { status: 'cancel_requested' as const } }),
      ofThePlan,
    ),
    corrections: useGet(
      '/api/companies/{companyId}/time-corrections',
      some(waiting.corrections, { path: ofPlan, query: { status: 'pending' as const } }),
    ),
    held: useGet('/api/companies/{id}/held-stamps', some(waiting.heldStamps, { path: id })),
    review: useGet(
      '/api/companies/{id}/review',
      some(waiting.review, { path: id, query: { limit: MOST_ITEMS } }),
    ),
  }
  const queries = Object.values(queriesByKind)
  const { absences, pending, cancelling, corrections, held, review } = queriesByKind
  return {
    data: queries.some(query => query.isLoading || (query.isError && query.data === undefined))
      ? undefined
      : itemsOf({
          absences: (waiting.absences && absences.data) || [],
          requests: waiting.requests ? [...(pending.data ?? []), ...(cancelling.data ?? [])] : [],
          corrections: (waiting.corrections && corrections.data) || [],
          held: (waiting.heldStamps && held.data) || [],
          review: (waiting.review && review.data) || [],
        }),
    error: queries.find(query => query.error !== null)?.error ?? null,
    isFetching: queries.some(query => query.isFetching),
    refetch: () => {
      for (const query of queries) if (query.isError) void query.refetch()
    },
  }
}

/**
 * Rejects with a `Refused`: `already_decided` if another administrator was faster, `over_allowance` if leave exceeds
 * the allowance and needs a confirmation. With `keepalive`: leaving the page sends pending decisions.
 */
export async function decide(
  companyId: string,
  item: Item,
  yes: boolean,
  comment: string,
  overAllowance = false,
): Promise<unknown> {
  if (item.kind === 'elsewhere' || item.kind === 'held') return
  if (item.kind === 'review') {
    const entry = { path: { id: companyId, entryId: item.id } }
    const body = { flags: item.flags, comment }
    const confirm = '/api/companies/{id}/review/{entryId}/confirm'
    return dataOf(await api.POST(confirm, { params: entry, body, keepalive: true }))
  }
  const params = { path: { id: item.id } }
  const commentBody = comment === '' ? {} : { comment }
  const keepalive = true
  if (item.kind === 'absence') {
    const body = { ...commentBody, wholeReport: true, certified: false }
    const path = yes ? '/api/absences/{id}/excuse' : '/api/absences/{id}/decline'
    return dataOf(await api.POST(path, { params, body, keepalive }))
  }
  if (item.kind === 'wish') {
    const path = yes ? '/api/vacation-requests/{id}/cancel' : '/api/vacation-requests/{id}/keep'
    return dataOf(await api.POST(path, { params, body: commentBody, keepalive }))
  }
  if (item.kind === 'request') {
    const path = yes ? '/api/vacation-requests/{id}/approve' : '/api/vacation-requests/{id}/decline'
    const body = overAllowance ? { ...commentBody, overAllowance } : commentBody
    return dataOf(await api.POST(path, { params, body, keepalive }))
  }
  const path = yes ? '/api/time-corrections/{id}/approve' : '/api/time-corrections/{id}/decline'
  return dataOf(await api.POST(path, { params, body: commentBody, keepalive }))
}
