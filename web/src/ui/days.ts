/**
 * Local days and times as the strings they are: `YYYY-MM-DD` and `HH:MM`.
 *
 * A day is never turned into an instant of the browser's zone: it is formatted as UTC midnight in UTC, so that it
 * stays the same day everywhere. Instants are shown in the zone that is passed in, or else at home.
 */

import { now } from './now'

/** The home zone until a company's zone is known. */
export const HOME_ZONE = 'Europe/Berlin'

let home = HOME_ZONE

/** The zone of "today" and of local times: that of the user's company. */
export const homeZone = () => home

/** A zone that the browser does not know is ignored. */
export function setHome(zone: string) {
  try {
    formatter({ timeZone: zone })
    home = zone
  } catch {
    home = HOME_ZONE
  }
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

function atUtcMidnight(day: string): Date {
  const [, year, month, date] = DAY.exec(day) ?? []
  if (year === undefined) throw new RangeError(`not a day: ${day}`)
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The same one for the same options: making one is slow. */
export function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.DateTimeFormat('de-DE', options)
  formats.set(key, format)
  return format
}

/** "Freitag, 20. November 2026" */
export function longDay(day: string): string {
  return formatter({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(atUtcMidnight(day))
}

/** "Freitag, 20. November" */
export function dayInMonth(day: string): string {
  return formatter({ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    atUtcMidnight(day),
  )
}

/** "Fr", "20.11." */
export function shortDay(day: string): { weekday: string; date: string } {
  const moment = atUtcMidnight(day)
  return {
    weekday: formatter({ weekday: 'short', timeZone: 'UTC' }).format(moment),
    date: formatter({ day: '2-digit', month: '2-digit', timeZone: 'UTC' }).format(moment),
  }
}

export function addDays(day: string, days: number): string {
  const moment = atUtcMidnight(day)
  moment.setUTCDate(moment.getUTCDate() + days)
  return moment.toISOString().slice(0, 10)
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  return addDays(day, -((atUtcMidnight(day).getUTCDay() + 6) % 7))
}

/** How many days `other` lies after `day`; negative for one before. */
export function daysFrom(day: string, other: string): number {
  return Math.round((atUtcMidnight(other).getTime() - atUtcMidnight(day).getTime()) / 86_400_000)
}

/** The local day of an instant. */
export function dayOf(instant: Date, zone: string = home): string {
  return local(instant, zone).slice(0, 10)
}

/** Returns today, by the service's clock. */
export const currentDay = () => dayOf(now())

/** The local time of an instant, "07:58". */
export function timeOf(instant: Date, zone: string = home): string {
  return local(instant, zone).slice(11, 16)
}

/** A zone's local time, formatted like `toISOString`. */
function local(instant: Date, zone: string): string {
  return new Date(instant.getTime() + offsetAt(instant.getTime(), zone)).toISOString()
}

/** "20. November, 07:58" */
export function momentOf(instant: Date, zone: string = home): string {
  const day = formatter({ day: 'numeric', month: 'long', timeZone: zone }).format(instant)
  return `${day}, ${timeOf(instant, zone)}`
}

/**
 * The instant when a zone's clocks show `time` on `day`; the first of two.
 *
 * Used only where the service has not given the instant: to update a running entry, and to find entries that belong
 * together.
 */
export function instantOf(day: string, time: string, zone: string = home): Date {
  const asUtc = Date.parse(`${day}T${time}:00Z`)
  const candidates = [-1, 1].map(side => asUtc - offsetAt(asUtc + side * 12 * 3_600_000, zone))
  const matching = candidates.filter(
    at => `${dayOf(new Date(at), zone)}T${timeOf(new Date(at), zone)}` === `${day}T${time}`,
  )
  return new Date(Math.min(...(matching.length > 0 ? matching : candidates)))
}

/** Whether a zone's clocks show `time` twice on `day`, because they are put back. */
export function isTwice(day: string, time: string, zone: string = home): boolean {
  return instantsOf(day, time, zone).length > 1
}

/** Every instant when a zone's clocks show `time` on `day`: one, or two where clocks are put back. */
export function instantsOf(day: string, time: string, zone: string = home): Date[] {
  const first = instantOf(day, time, zone)
  const later = new Date(first.getTime() + 3_600_000)
  return dayOf(later, zone) === day && timeOf(later, zone) === time ? [first, later] : [first]
}

const DAY_MS = 86_400_000

/** The day's offset by zone and UTC day, or null where it changes. */
const offsets = new Map<string, number | null>()

/**
 * A zone's offset from UTC, in milliseconds. The browser is asked twice a day, and for every instant only on days with
 * a clock change: asking is slow, and a month needs hundreds of offsets.
 */
function offsetAt(instant: number, zone: string): number {
  const day = Math.floor(instant / DAY_MS)
  const key = `${zone} ${day}`
  let all = offsets.get(key)
  if (all === undefined) {
    const [first, last] = [askedAt(day * DAY_MS, zone), askedAt((day + 1) * DAY_MS - 1, zone)]
    all = first === last ? first : null
    offsets.set(key, all)
  }
  return all ?? askedAt(instant, zone)
}

function askedAt(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    formatter({
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    })
      .formatToParts(instant)
      .map(part => [part.type, part.value]),
  )
  const localSeconds = Date.parse(
    `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`,
  )
  return localSeconds - Math.floor(instant / 1_000) * 1_000
}
