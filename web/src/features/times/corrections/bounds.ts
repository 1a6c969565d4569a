/**
 * The instants of local times on a day, by the service's rules: an end at or before the start is on the next day; of a
 * time that clocks show twice, the start is the first and the end the second; a skipped time is invalid.
 *
 * Pure; only for the form's preview of the duration. The service decides.
 */
import { addDays, dayOf, instantsOf, timeOf } from '../../../ui/days'

export interface Bounds {
  minutes: number
  /** Whether the end is on the next day. */
  nextDay: boolean
  /** The instants, in milliseconds. */
  from: number
  to: number
}

export type Meant = Bounds | 'start_skipped' | 'end_skipped' | null

/** Null if one is missing or both are the same. */
export function boundsOf(day: string, start: string, end: string): Meant {
  if (day === '' || start === '' || end === '' || start === end) return null
  const from = shownAt(day, start)[0]
  if (from === undefined) return 'start_skipped'
  const sameDay = shownAt(day, end).at(-1)
  const stays = sameDay !== undefined && sameDay > from
  const endAt = stays ? sameDay : end > start ? sameDay : shownAt(addDays(day, 1), end).at(-1)
  if (endAt === undefined) return 'end_skipped'
  return { minutes: Math.floor(endAt / 60_000) - Math.floor(from / 60_000), nextDay: !stays, from, to: endAt }
}

/** The instants when clocks show the time on the day: zero, one or two. */
function shownAt(day: string, time: string): number[] {
  return instantsOf(day, time)
    .filter(instant => dayOf(instant) === day && timeOf(instant) === time)
    .map(instant => instant.getTime())
}
