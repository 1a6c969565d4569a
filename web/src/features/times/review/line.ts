/** An entry's day as a line of 24 hours. Pure; it draws the service's findings and decides nothing. */

import type { components } from '../../../api/schema'
import { minuteOfDay } from '../../../ui/durations'
import type { TimeEntry } from '../sheet'
import { daysAfter } from '../shifts'

export const DAY_MINUTES = 1_440
const NOON = 720

export interface Piece {
  entry: TimeEntry
  /** The position in percent of the line's width; a piece with a missing time has no width. */
  left: number
  width: number
  /** The missing time. */
  lacks: 'start' | 'end' | null
}

export interface Line {
  /** Minutes after the midnight at the start of the day: a night is drawn from noon to noon. */
  begins: number
  pieces: Piece[]
}

/** `now`: minutes after that midnight, the end of a running entry. */
export function lineOf(entries: readonly TimeEntry[], day: string, entryId: string, now: number): Line {
  const spans = entries.map(entry => ({ entry, ...spanOf(entry, day, now) }))
  const reviewedSpan = spans.find(({ entry }) => entry.id === entryId)
  const beginsAt =
    reviewedSpan !== undefined && reviewedSpan.from >= NOON && reviewedSpan.to > DAY_MINUTES ? NOON : 0
  return {
    begins: beginsAt,
    pieces: spans.flatMap(({ entry, from, to }) => {
      const [first, last] = [Math.max(from, beginsAt), Math.min(to, beginsAt + DAY_MINUTES)]
      if (first > last || from >= beginsAt + DAY_MINUTES || to < beginsAt) return []
      const lacks = entry.start === null ? 'start' : entry.end === null && !entry.running ? 'end' : null
      return [{ entry, lacks, left: share(first - beginsAt), width: share(last - first) } as const]
    }),
  }
}

const share = (minutes: number) => (minutes / DAY_MINUTES) * 100

function spanOf(entry: TimeEntry, day: string, now: number): { from: number; to: number } {
  const days = daysAfter(day, entry)
  const minuteAt = (time: string | null, offset: number) =>
    time === null ? null : offset * DAY_MINUTES + minuteOfDay(time)
  const start = minuteAt(entry.start, days.start)
  const end = minuteAt(entry.end, days.end) ?? (entry.running ? now : null)
  return { from: start ?? end ?? 0, to: Math.max(end ?? start ?? 0, start ?? 0) }
}

type Limits = components['schemas']['LimitsRow']

/** A limit in a finding: its position on the line, and its values, all in minutes. */
export type Limit = { left: number; at: number } & (
  | { kind: 'shift'; minutes: number }
  | { kind: 'break'; minutes: number; due: number }
  | { kind: 'rest'; minutes: number; width: number }
)

/**
 * The times at which the day exceeded a limit, or the end of the required rest before it. Times outside the line are
 * omitted. `flags`: the findings of the entry `entryId`.
 */
export function limitsOf(
  entries: readonly TimeEntry[],
  day: string,
  { entryId, flags, limits }: { entryId: string; flags: readonly string[]; limits: Limits },
  begins: number,
): Limit[] {
  const complete = entries.filter(({ start, end }) => start !== null && end !== null)
  const spans = complete.map(entry => ({ entry, ...spanOf(entry, day, 0) })).sort((a, b) => a.from - b.from)
  const ofDay = spans.filter(({ entry }) => entry.date === day)
  const takenOff = ofDay.reduce((sum, { entry }) => sum + (entry.breakMinutes ?? 0), 0)
  const reached = (minutes: number) => {
    let remaining = minutes
    for (const { from, to } of ofDay) {
      if (remaining <= to - from) return from + remaining
      remaining -= to - from
    }
    return null
  }
  const place = (at: number) => share(Math.min(Math.max(at - begins, 0), DAY_MINUTES))
  const reachedLimits: Limit[] = []
  const { shiftMinutes, restMinutes, breakSteps } = limits
  const shift = flags.includes('over_10_h') ? reached(shiftMinutes + takenOff) : null
  if (shift !== null)
    reachedLimits.push({ kind: 'shift', at: shift, left: place(shift), minutes: shiftMinutes })
  for (const { overMinutes, minutes } of flags.includes('missing_break') ? breakSteps : []) {
    const breakAt = reached(overMinutes)
    if (breakAt !== null)
      reachedLimits.push({
        kind: 'break',
        at: breakAt,
        left: place(breakAt),
        minutes: overMinutes,
        due: minutes,
      })
  }
  const reviewedEntry = entries.find(({ id }) => id === entryId)
  const start = reviewedEntry === undefined ? null : spanOf(reviewedEntry, day, 0).from
  const previousSpan = spans
    .filter(({ entry, to }) => entry.date < day && start !== null && to <= start)
    .at(-1)
  if (flags.includes('short_rest') && previousSpan !== undefined) {
    const restEnd = previousSpan.to + restMinutes
    const restLeft = place(previousSpan.to)
    reachedLimits.push({
      kind: 'rest',
      at: restEnd,
      left: restLeft,
      width: place(restEnd) - restLeft,
      minutes: restMinutes,
    })
  }
  return reachedLimits.filter(({ at }) => at >= begins && at <= begins + DAY_MINUTES)
}
