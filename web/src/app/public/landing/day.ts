/**
 * The demo of a day at the clock: the effect of each tap, online and offline. Times are minutes of a day that advances
 * with the taps; it does not call the service.
 */

/** The times of the day's four taps: start, break, return, end. */
const TAPS = [478, 724, 755, 991] as const

export interface Stamp {
  at: number
  direction: 'in' | 'out'
}

export interface Day {
  stamps: readonly Stamp[]
  /** The number of taps that the page has received. */
  arrived: number
  online: boolean
  /** The clock's answer to the last tap. */
  answer: 'in' | 'out' | 'again' | null
}

export const MORNING: Day = { stamps: [], arrived: 0, online: true, answer: null }

/** The time on the clock. */
export const nowOf = ({ stamps }: Day) => stamps.at(-1)?.at ?? TAPS[0]

export const isOver = ({ stamps }: Day) => stamps.length === TAPS.length

/** After the day's last tap, another one within a minute is ignored, as on the real clock. */
export function tapped(day: Day): Day {
  const nextTap = TAPS[day.stamps.length]
  if (nextTap === undefined) return { ...day, answer: 'again' }
  const direction = day.stamps.length % 2 === 0 ? 'in' : 'out'
  const stamps = [...day.stamps, { at: nextTap, direction } as const]
  return { ...day, stamps, answer: direction, arrived: day.online ? stamps.length : day.arrived }
}

export const connected = (day: Day, online: boolean): Day => ({
  ...day,
  online,
  arrived: online ? day.stamps.length : day.arrived,
})

export const waiting = ({ stamps, arrived }: Day) => stamps.length - arrived

/** The delivered entries: start and end, null while running. */
export function entriesOf({ stamps, arrived }: Day): { start: number; end: number | null }[] {
  return stamps
    .slice(0, arrived)
    .flatMap(({ at, direction }, index, all) =>
      direction === 'in' ? [{ start: at, end: all[index + 1]?.at ?? null }] : [],
    )
}

/** Minutes of complete entries, as known to the page; or to the clock, which knows all. */
export const workedOf = (day: Day) =>
  entriesOf(day).reduce((sum, { start, end }) => sum + (end === null ? 0 : end - start), 0)

export const atTheClock = (day: Day): Day => ({ ...day, arrived: day.stamps.length })

const two = (figure: number) => String(figure).padStart(2, '0')

export const timeOf = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
