/** Entries to check, the actions on them, and those settled since the page was opened. */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, dataOf, ignoreNotFound } from '../../../api/client'
import type { components } from '../../../api/schema'
import { useChange } from '../../../patterns/useChange'
import { useFollow } from '../../../patterns/useFollow'
import { keyOf } from '../../../patterns/useGet'
import { usePages } from '../../../patterns/usePages'
import { texts } from './texts'

export type Reviewed = components['schemas']['ReviewRow']
export type Outcome = keyof typeof texts.outcomes

const PATH = '/api/companies/{id}/review'
export const CHANGES = ['times_update', 'plan_update']
const REVIEW = keyOf(PATH)

export function useReview(companyId: string) {
  useFollow(CHANGES, { queryKey: REVIEW })
  return usePages(PATH, { path: { id: companyId } })
}

/** Entries that no longer wait, with their outcomes. */
export function useSettled({ list, rows }: ReturnType<typeof usePages<typeof PATH>>) {
  const [known, setKnown] = useState<ReadonlyMap<string, Reviewed>>(new Map())
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const pages = list.data?.pages
  useEffect(() => {
    const come = (pages ?? []).flatMap(page => page.rows as Reviewed[])
    setKnown(before => new Map([...before, ...come.map(row => [row.entryId, row] as const)]))
  }, [pages])
  const open = new Set(rows.data?.map(({ entryId }) => entryId))
  const settledRows = [...known.values()].filter(
    ({ entryId }) => rows.data !== undefined && !open.has(entryId),
  )
  const settle = (entryId: string, outcome: Outcome) =>
    setOutcomes(before => new Map(before).set(entryId, outcome))
  return {
    settled: settledRows,
    settle,
    outcomeOf: (entryId: string): Outcome => outcomes.get(entryId) ?? 'gone',
  }
}

/** Accepts these flags; returns the remaining ones. The call outlives a closing page. */
export async function keep(
  queries: QueryClient,
  companyId: string,
  entryId: string,
  body: { flags: Reviewed['flags']; comment: string },
): Promise<Reviewed['flags']> {
  try {
    const params = { path: { id: companyId, entryId } }
    const path = '/api/companies/{id}/review/{entryId}/confirm'
    return dataOf(await api.POST(path, { params, body, keepalive: true })).flags
  } finally {
    void queries.invalidateQueries({ queryKey: REVIEW })
  }
}

export const useRemind = (companyId: string, entryId: string) =>
  useChange(
    async () => {
      dataOf(
        await api.POST('/api/companies/{id}/review/{entryId}/remind', {
          params: { path: { id: companyId, entryId } },
        }),
      )
      return true
    },
    texts.remindFailed,
    [REVIEW],
  )

export const useRemove = (id: string) =>
  useChange(
    async () => ignoreNotFound(await api.DELETE('/api/work-times/{id}', { params: { path: { id } } })),
    texts.removeFailed,
    [REVIEW, keyOf('/api/users/{userId}/times')],
  )
