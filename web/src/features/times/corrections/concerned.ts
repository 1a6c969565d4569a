/**
 * The shift that a correction affects, by the service's rules, and the parts of it that the new times drop.
 *
 * Pure; only for the form's initial values and preview. The service decides.
 */
import { timeOf } from '../../../ui/days'
import type { TimeEntry } from '../sheet'
import { type Shift, spansOf } from '../shifts'
import type { Bounds, Meant } from './bounds'

const MINUTE_MS = 60_000

/** The entry's shift; else the day's only one, else the one that overlaps the times most; else null. */
export function concerned(
  shifts: readonly Shift[],
  day: string,
  entryId: string | null,
  meant: Meant = null,
): Shift | null {
  const namedShift = shifts.find(({ entries }) => entries.some(({ id }) => id === entryId))
  if (namedShift !== undefined) return namedShift
  const dated = shifts.filter(({ date }) => date === day)
  if (dated.length === 1 || !isKnown(meant)) return dated.length === 1 ? (dated[0] ?? null) : null
  const [best] = dated.toSorted((a, b) => filled(b, meant) - filled(a, meant))
  return best !== undefined && filled(best, meant) > 0 ? best : null
}

/** A shift's first Kommen and last Gehen; empty if missing. */
export function timesOf(shift: Shift | null): { start: string; end: string } {
  const entries = shift?.entries ?? []
  return { start: entries[0]?.start ?? '', end: entries.at(-1)?.end ?? '' }
}

export interface Piece {
  start: string
  end: string
  minutes: number
}

/** The parts of a shift's complete entries outside the new times. */
export function leftOut(shift: Shift | null, meant: Meant): Piece[] {
  if (shift === null || !isKnown(meant)) return []
  return spansOf(shift).flatMap(({ entry, first, last }) =>
    isWhole(entry)
      ? [...piece(first, Math.min(last, meant.from)), ...piece(Math.max(first, meant.to), last)]
      : [],
  )
}

function piece(first: number, last: number): Piece[] {
  const minutes = Math.floor(last / MINUTE_MS) - Math.floor(first / MINUTE_MS)
  return minutes > 0 ? [{ start: timeOf(new Date(first)), end: timeOf(new Date(last)), minutes }] : []
}

const isKnown = (meant: Meant): meant is Bounds => meant !== null && typeof meant !== 'string'

const isWhole = ({ start, end }: TimeEntry) => start !== null && end !== null

function filled(shift: Shift, meant: Bounds): number {
  const spans = spansOf(shift)
  const first = Math.min(...spans.map(span => span.first))
  const last = Math.max(...spans.map(span => span.last))
  return Math.min(last, meant.to) - Math.max(first, meant.from)
}
