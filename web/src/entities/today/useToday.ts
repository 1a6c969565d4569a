/** The administrator's day in one call: who is there, what waits for a decision, which clocks are silent. */
import type { components } from '../../api/schema'
import { useGet } from '../../patterns/useGet'

export type Today = components['schemas']['Today']

/** What changes it: stamps and their entries; the plan, requests and what was decided of them. */
export const TODAY_LIVE = ['times_update', 'plan_update'] as const

export const useToday = (companyId: string) =>
  useGet('/api/companies/{id}/today', { path: { id: companyId } }, { live: TODAY_LIVE })

/** How many things wait, by the key of the page where they are decided. */
export function waitingBy({ waiting }: Today): Readonly<Record<string, number>> {
  const absences = (waiting.absences ?? 0) + (waiting.requests ?? 0) + (waiting.corrections ?? 0)
  const review = waiting.heldStamps + waiting.review
  return { today: absences + review, absences, review }
}
