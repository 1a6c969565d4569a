/** The day of an entry as a line of 24 hours. Pure; it draws what the service has said and decides nothing. */

import type { components } from '../../../api/schema'
import { minuteOfDay } from '../../../ui/durations'
import type { TimeEntry } from '../sheet'
import { daysAfter } from '../shifts'

export const DAY_MINUTES = 1_440
const NOON = 720

export interface Piece {
  entry: TimeEntry
  /** Of the line's width, in percent; a piece without one of its times has no width. */
  left: number
  width: number
  /** Which of its times is missing. */
  lacks: 'start' | 'end' | null
}

export interface Line {
  /** Minutes after the midnight that begins the day: a night is drawn from noon to noon. */
  begins: number
  pieces: Piece[]
}

/** `now`: minutes after that midnight, up to which a running entry reaches. */
export function lineOf(entries: readonly TimeEntry[], day: string, entryId: string, now: number): Line {
  const spans = entries.map(entry => ({ entry, ...spanOf(entry, day, now) }))
  const meant = spans.find(({ entry }) => entry.id === entryId)
  const begins = meant !== undefined && meant.from >= NOON && meant.to > DAY_MINUTES ? NOON : 0
  return {
    begins,
    pieces: spans.flatMap(({ entry, from, to }) => {
      const [first, last] = [Math.max(from, begins), Math.min(to, begins + DAY_MINUTES)]
      if (first > last || from >= begins + DAY_MINUTES || to < begins) return []
      const lacks = entry.start === null ? 'start' : entry.end === null && !entry.running ? 'end' : null
      return [{ entry, lacks, left: share(first - begins), width: share(last - first) } as const]
    }),
  }
}

const share = (minutes: number) => (minutes / DAY_MINUTES) * 100

function spanOf(entry: TimeEntry, day: string, now: number): { from: number; to: number } {
  const days = daysAfter(day, entry)
  const at = (time: string | null, offset: number) =>
    time === null ? null : offset * DAY_MINUTES + minuteOfDay(time)
  const start = at(entry.start, days.start)
  const end = at(entry.end, days.end) ?? (entry.running ? now : null)
  return { from: start ?? end ?? 0, to: Math.max(end ?? start ?? 0, start ?? 0) }
}

type Limits = components['schemas']['LimitsRow']

/** A limit that a finding speaks of: where on the line it lies, and what it is, all in minutes. */
export type Limit = { left: number; at: number } & (
  | { kind: 'shift'; minutes: number }
  | { kind: 'break'; minutes: number; due: number }
  | { kind: 'rest'; minutes: number; width: number }
)

/**
 * When the day's work went beyond what a finding speaks of; or how long the rest before it would have been. What lies
 * outside of the line is left out. `flags`: what was found of the entry `entryId`.
 */
export function limitsOf(
  entries: readonly TimeEntry[],
  day: string,
  { entryId, flags, limits }: { entryId: string; flags: readonly string[]; limits: Limits },
  begins: number,
): Limit[] {
  const whole = entries.filter(({ start, end }) => start !== null && end !== null)
  const spans = whole
    .map(entry => ({ entry, ...spanOf(entry, day, 0) }))
    .sort((one, other) => one.from - other.from)
  const ofDay = spans.filter(({ entry }) => entry.date === day)
  const takenOff = ofDay.reduce((sum, { entry }) => sum + (entry.breakMinutes ?? 0), 0)
  const reached = (minutes: number) => {
    let left = minutes
    for (const { from, to } of ofDay) {
      if (left <= to - from) return from + left
      left -= to - from
    }
    return null
  }
  const place = (at: number) => share(Math.min(Math.max(at - begins, 0), DAY_MINUTES))
  const found: Limit[] = []
  const { shiftMinutes, restMinutes, breakSteps } = limits
  const shift = flags.includes('over_10_h') ? reached(shiftMinutes + takenOff) : null
  if (shift !== null) found.push({ kind: 'shift', at: shift, left: place(shift), minutes: shiftMinutes })
  for (const { overMinutes, minutes } of flags.includes('missing_break') ? breakSteps : []) {
    const at = reached(overMinutes)
    if (at !== null) found.push({ kind: 'break', at, left: place(at), minutes: overMinutes, due: minutes })
  }
  const meant = entries.find(({ id }) => id === entryId)
  const start = meant === undefined ? null : spanOf(meant, day, 0).from
  const before = spans.filter(({ entry, to }) => entry.date < day && start !== null && to <= start).at(-1)
  if (flags.includes('short_rest') && before !== undefined) {
    const at = before.to + restMinutes
    const left = place(before.to)
    found.push({ kind: 'rest', at, left, width: place(at) - left, minutes: restMinutes })
  }
  return found.filter(({ at }) => at >= begins && at <= begins + DAY_MINUTES)
}
