/**
 * Which entries form one shift, on which day it stands, and which of their times lie on another day than that.
 *
 * Entries less than 5 h apart are one shift, dated by its first start; an entry that is not complete counts with its
 * one known time. The service judges breaks and limits by the same rule; here it only decides what stands together.
 */
import { addDays, daysFrom, instantsOf, timeOf } from '../../ui/days'
import { minuteOfDay } from '../../ui/durations'
import type { TimeEntry } from './sheet'

/** From this distance on, what follows is another shift. */
export const SHIFT_GAP_MINUTES = 300

const MINUTE_MS = 60_000

export interface Shift {
  /** The local day of its first start; of its first known time where it has no start at all. */
  date: string
  entries: TimeEntry[]
}

/** The shifts of entries that are in order of time. Of what lies before the first entry nothing is known. */
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
 * The first and last known instants of an entry, in milliseconds; where one is missing, both are the other.
 *
 * A time that the clocks show twice is told by the entry's true minutes, else it is the first that is not before
 * `until`, the end of what came before.
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
 * Whether the end lies on the day after the start.
 *
 * An end that reads earlier than the start usually does, but not in the night in which clocks go back: there the
 * true minutes tell (02:50 to 02:10 in 20 minutes is one and the same night).
 */
export function endsNextDay(entry: TimeEntry): boolean {
  const { start, end, workedMinutesRaw: raw } = entry
  if (start === null || end === null) return false
  const shownMinutes = minuteOfDay(end) - minuteOfDay(start)
  if (shownMinutes > 0) return false
  return raw === null ? shownMinutes < 0 : Math.abs(raw - shownMinutes - 1440) < Math.abs(raw - shownMinutes)
}

/** How many days after `day`, under which the entry stands, its start and its end lie. */
export function daysAfter(day: string, entry: TimeEntry): { start: number; end: number } {
  const start = daysFrom(day, entry.date)
  return { start, end: endsNextDay(entry) ? start + 1 : start }
}
