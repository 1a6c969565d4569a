/** The administrator's day in one call: presence, items that wait for a decision, silent clocks. */

import { reading } from '../../api/reading'
import type { components } from '../../api/schema'
import { keyOf, useGet } from '../../patterns/useGet'

export type Today = components['schemas']['Today']

/** Events that change it: stamps and entries; the plan, requests and decisions. */
export const TODAY_LIVE = ['times_update', 'plan_update'] as const

const TODAY = '/api/companies/{id}/today'
const paramsOf = (id: string) => ({ path: { id } })

export const useToday = (companyId: string) => useGet(TODAY, paramsOf(companyId), { live: TODAY_LIVE })

/** The same, for prefetching the page. */
export const askedToday = (companyId: string) => ({
  queryKey: keyOf(TODAY, paramsOf(companyId)),
  queryFn: ({ signal }: { signal: AbortSignal }) => reading(TODAY, paramsOf(companyId))(signal),
})

/** The numbers of waiting items, by the key of the page that handles them. */
export function waitingBy({ waiting }: Today): Readonly<Record<string, number>> {
  const absences = (waiting.absences ?? 0) + (waiting.requests ?? 0) + (waiting.corrections ?? 0)
  const review = waiting.heldStamps + waiting.review
  return { today: absences + review, absences, review }
}
