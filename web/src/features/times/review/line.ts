/** The day of an entry as a line of 24 hours. Pure; it draws what the service has said and decides nothing. */
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
