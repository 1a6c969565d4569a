/** Requests for leave, and the relevant facts of their previews. Pure. */
import type { components } from '../../api/schema'
import { daysFrom } from '../../ui/days'

export type Preview = components['schemas']['PreviewRow']
export type Holiday = Preview['holidays'][number]

/** A request's body, with the service's names. */
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

/** Whether the days can be previewed; otherwise the service would only refuse. */
export function isWhole({ startDate, endDate, startHalf, endHalf }: Days): boolean {
  if (!DAY.test(startDate) || !DAY.test(endDate) || endDate < startDate) return false
  return startDate !== endDate || !(startHalf && endHalf)
}

/**
 * The holidays that save a day of vacation. The service lists all of them, including those on the person's days off;
 * the number saved follows from the costs.
 */
export function savedHolidays({ days, freeDays, holidays }: Preview, asked: Days): Holiday[] {
  if (asked.kind === 'wish') return []
  const workdays = daysFrom(asked.startDate, asked.endDate) + 1 - freeDays
  const ticked = Number(asked.startHalf) + Number(asked.endHalf)
  const missing = workdays - days
  // A fractional cost means that exactly one half day counted, and not on a holiday; otherwise the ticks decide between
  // no half day and two.
  const halves = Number.isInteger(missing) ? (ticked === 2 ? 2 : 0) : 1
  const saved = missing - halves / 2
  if (saved >= holidays.length) return [...holidays]
  const working = holidays.filter(({ date }) => !isWeekend(date))
  return working.slice(0, Math.max(0, saved))
}

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

/** The days beyond the allowance: of the request, or together with pending requests; 0 if within. */
export function excess({ days, remainingAfter, reservedAfter }: Preview): { own: number; together: number } {
  const otherDays = Math.max(0, reservedAfter - days)
  return { own: Math.max(0, -remainingAfter), together: Math.max(0, otherDays - remainingAfter) }
}

/**
 * The days reserved by other requests; a request into the next year counts only in part, since the answer describes one
 * year.
 */
export function othersReserved({ days, reservedAfter }: Preview): number {
  return Math.max(0, reservedAfter - days)
}

/** Parses a request from the outbox. */
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

/** Parses a sick report from the outbox. */
export function sickOf(body: unknown): Sick {
  const { startDate, endDate } = (body ?? {}) as Partial<Sick>
  return { startDate: String(startDate ?? ''), endDate: String(endDate ?? '') }
}
