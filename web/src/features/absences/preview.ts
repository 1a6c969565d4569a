/** What is asked for, and what of its preview is worth saying. Pure. */
import type { components } from '../../api/schema'
import { daysFrom } from '../../ui/days'

export type Preview = components['schemas']['PreviewRow']
export type Holiday = Preview['holidays'][number]

/** A request as it is sent, by the names of the service. */
export interface Wish {
  kind: 'vacation' | 'wish'
  startDate: string
  endDate: string
  startHalf: boolean
  endHalf: boolean
  reason: string | null
}

export type Days = Omit<Wish, 'reason'>

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Whether there is something to be computed, or the service would only say that there is not. */
export function isWhole({ startDate, endDate, startHalf, endHalf }: Days): boolean {
  if (!DAY.test(startDate) || !DAY.test(endDate) || endDate < startDate) return false
  return startDate !== endDate || !(startHalf && endHalf)
}

/**
 * The holidays for which no day of vacation is needed. The service names all of them, also those on days on which the
 * person does not work anyway; how many are saved follows from what the rest costs.
 */
export function savedHolidays({ days, freeDays, holidays }: Preview, asked: Days): Holiday[] {
  if (asked.kind === 'wish') return []
  const workdays = daysFrom(asked.startDate, asked.endDate) + 1 - freeDays
  const ticked = Number(asked.startHalf) + Number(asked.endHalf)
  const missing = workdays - days
  // Half a day says that one of the ticks counted, which then is no holiday's; none or both are told by the ticks.
  const halves = Number.isInteger(missing) ? (ticked === 2 ? 2 : 0) : 1
  const saved = missing - halves / 2
  if (saved >= holidays.length) return [...holidays]
  const working = holidays.filter(({ date }) => !isWeekend(date))
  return working.slice(0, Math.max(0, saved))
}

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

/** How many days it is more than there are: by itself, or with what is asked for already; 0 if it is not. */
export function excess({ days, remainingAfter, reservedAfter }: Preview): { own: number; together: number } {
  const otherDays = Math.max(0, reservedAfter - days)
  return { own: Math.max(0, -remainingAfter), together: Math.max(0, otherDays - remainingAfter) }
}

/** What other requests wait for; of a request into the next year only a part is of the year that is told of. */
export function othersReserved({ days, reservedAfter }: Preview): number {
  return Math.max(0, reservedAfter - days)
}

/** A request as it lies in the outbox. */
export function wishOf(body: unknown): Wish {
  const { kind, startDate, endDate, startHalf, endHalf, reason } = (body ?? {}) as Partial<Wish>
  return {
    kind: kind === 'wish' ? 'wish' : 'vacation',
    startDate: String(startDate ?? ''),
    endDate: String(endDate ?? ''),
    startHalf: startHalf === true,
    endHalf: endHalf === true,
    reason: reason ?? null,
  }
}

export interface Sick {
  startDate: string
  endDate: string
}

/** A Krankmeldung as it lies in the outbox. */
export function sickOf(body: unknown): Sick {
  const { startDate, endDate } = (body ?? {}) as Partial<Sick>
  return { startDate: String(startDate ?? ''), endDate: String(endDate ?? '') }
}
