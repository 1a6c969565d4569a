/** A clock's week as shares of its width: online times and queue lengths. Pure. */
import type { Moment } from './useFleet'

const WEEK_MS = 7 * 86_400_000
const ROOM = 60

export interface Band {
  /** Shares of the week, 0 to 1. */
  from: number
  to: number
  online: boolean
}

const share = (at: string, now: number) =>
  Math.min(Math.max((Date.parse(at) - (now - WEEK_MS)) / WEEK_MS, 0), 1)

/** A moment lasts until the next; equal neighbours are merged. */
export function bandsOf(moments: readonly Moment[], now: number): Band[] {
  const bands: Band[] = []
  for (const [index, { at, online }] of moments.entries()) {
    const next = moments[index + 1]
    const end = next === undefined ? 1 : share(next.at, now)
    const last = bands.at(-1)
    if (last?.online === online) last.to = end
    else bands.push({ from: share(at, now), to: end, online })
  }
  return bands
}

/** The online share of the known time. */
export function shareOnline(bands: readonly Band[]): number {
  const long = (some: readonly Band[]) => some.reduce((sum, { from, to }) => sum + to - from, 0)
  const all = long(bands)
  return all === 0 ? 0 : long(bands.filter(({ online }) => online)) / all
}

/** The points of a step line, in a picture 1000 wide: `most` is at its top. */
export function queueLine(moments: readonly Moment[], now: number, most: number): string {
  let height = ROOM
  const points: string[] = []
  for (const { at, queueDepth, online } of moments) {
    const x = (share(at, now) * 1000).toFixed(1)
    points.push(`${x},${height}`)
    if (online) height = ROOM - ((queueDepth ?? 0) / most) * (ROOM - 4)
    points.push(`${x},${height}`)
  }
  return [...points, `1000,${height}`].join(' ')
}
