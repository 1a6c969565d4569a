/**
 * Groups entries into shifts, with the day of each shift, and marks times on another day.
 *
 * Entries less than 5 h apart are one shift, dated by its first start; an incomplete entry counts with its known time.
 * The service checks breaks and limits by the same rule; here it only groups the display.
 */
import { addDays, daysFrom, instantsOf, timeOf } from '../../ui/days'
import { minuteOfDay } from '../../ui/durations'
import type { TimeEntry } from './sheet'

/** An entry after this gap begins another shift. */
export const SHIFT_GAP_MINUTES = 300

const MINUTE_MS = 60_000

export interface Shift {
  /** The local day of its first start; of its first known time without any start. */
  date: string
  entries: TimeEntry[]
}

/** The shifts of entries in order of time. Entries before the first are unknown. */
export function shiftsOf(inTime: readonly TimeEntry[]): Shift[] {
  const shifts: TimeEntry[][] = []
  let previousEnd: number | null = null
  for (const entry of inTime) {
    const { first, last } = boundsOf(entry, previousEnd)
    const shift = shifts.at(-1)
    if (shift !== undefined && previousEnd !== null && first - previousEnd < SHIFT_GAP_MINUTES * MINUTE_MS) {
      shift.push(entry)
      previousEnd = Math.max(previousEnd, last)
    } else {
      shifts.push([entry])
      previousEnd = last
    }
  }
  return shifts.map(entries => ({ date: dateOf(entries), entries }))
}

/** The first and last known instants of a shift's entries, in milliseconds. */
export function spansOf({ entries }: Shift): { entry: TimeEntry; first: number; last: number }[] {
  let previousEnd: number | null = null
  return entries.map(entry => {
    const { first, last } = boundsOf(entry, previousEnd)
    previousEnd = Math.max(previousEnd ?? last, last)
    return { entry, first, last }
  })
}

function dateOf(shift: readonly TimeEntry[]): string {
  const first = shift.find(entry => entry.start !== null) ?? shift[0]
  return first?.date ?? ''
}

/**
 * The first and last known instants of an entry, in milliseconds; if one is missing, both are the other.
 *
 * A time that the clocks show twice is resolved by the entry's true minutes, else it is the first that is not before
 * `until`, the end of the previous entry.
 */
function boundsOf(entry: TimeEntry, until: number | null): { first: number; last: number } {
  const { date, start, end, workedMinutesRaw: raw } = entry
  if (start === null) {
    const only = pick(date, end ?? '00:00', until)
    return { first: only, last: only }
  }
  if (end === null) {
    const only = pick(date, start, until)
    return { first: only, last: only }
  }
  for (const first of momentsOf(date, start)) {
    const last = first + (raw ?? 0) * MINUTE_MS
    if (raw !== null && timeOf(new Date(last)) === end) return { first, last }
  }
  const first = pick(date, start, until)
  return { first, last: pick(endsNextDay(entry) ? addDays(date, 1) : date, end, first) }
}

function momentsOf(day: string, time: string): number[] {
  return instantsOf(day, time).map(instant => instant.getTime())
}

function pick(day: string, time: string, notBefore: number | null): number {
  const moments = momentsOf(day, time)
  return moments.find(moment => moment >= (notBefore ?? moment)) ?? Math.max(...moments)
}

/**
 * Whether the end is on the day after the start.
 *
 * An end that reads earlier than the start usually is, except in the night when clocks go back: there the true minutes
 * decide (02:50 to 02:10 in 20 minutes is one and the same night).
 */
export function endsNextDay(entry: TimeEntry): boolean {
  const { start, end, workedMinutesRaw: raw } = entry
  if (start === null || end === null) return false
  const shownMinutes = minuteOfDay(end) - minuteOfDay(start)
  if (shownMinutes > 0) return false
  return raw === null ? shownMinutes < 0 : Math.abs(raw - shownMinutes - 1440) < Math.abs(raw - shownMinutes)
}

/** The distances in days of its start and its end from `day`, the day of its group. */
export function daysAfter(day: string, entry: TimeEntry): { start: number; end: number } {
  const start = daysFrom(day, entry.date)
  return { start, end: endsNextDay(entry) ? start + 1 : start }
}
