/**
 * A month of time entries for display: grouped by day, newest day first, with sums. A shift belongs as a whole to the
 * day of its start, so that a night is not split.
 *
 * Pure: `now` is an argument. It adds up the service's figures and decides nothing about working time.
 */
import type { components } from '../../api/schema'
import { addDays, instantOf, isTwice } from '../../ui/days'
import { endsNextDay, SHIFT_GAP_MINUTES, shiftsOf } from './shifts'

export type TimeEntry = components['schemas']['TimeEntryRow']

export interface Sums {
  net: number
  raw: number
  breaks: number
}

export interface Day {
  /** The day of its shifts' start; an entry's own date may be later. */
  date: string
  entries: TimeEntry[]
  sums: Sums
}

export interface Sheet {
  days: Day[]
  sums: Sums
  /** The running entry, if any. */
  running: TimeEntry | null
  /** The break taken after an entry, in minutes, by the entry's id. */
  pauses: ReadonlyMap<string, number>
  /** The number of entries without a start or an end, which do not count; running ones are excluded. */
  incomplete: number
  /** The days of such entries, newest first. */
  incompleteDays: string[]
  differs: Differing
  /** The clock of most entries; null if it has no name. */
  usualClock: string | null
}

/** The details that differ within the month, and so are shown per entry. */
export interface Differing {
  pauses: boolean
  /** Deductions: without them presence equals working time. */
  deductions: boolean
  sources: boolean
  /** Flags, or unusual clocks. */
  hints: boolean
}

const NO_SUMS: Sums = { net: 0, raw: 0, breaks: 0 }

export function sheetOf(entries: readonly TimeEntry[]): Sheet {
  const byDay = new Map<string, TimeEntry[]>()
  const inTime = [...entries].sort(inOrder)
  for (const shift of shiftsOf(inTime)) {
    const day = byDay.get(shift.date)
    if (day === undefined) byDay.set(shift.date, [...shift.entries])
    else day.push(...shift.entries)
  }
  const days = [...byDay].map(([date, ofDay]) => ({ date, entries: ofDay, sums: sumsOf(ofDay) })).reverse()
  const pauses = pausesOf(inTime)
  const sources = new Set(entries.map(sourceOf)).size > 1
  const usualClock = mostOf(entries.flatMap(clockOf))
  return {
    days,
    sums: sumsOf(entries),
    running: entries.find(entry => entry.running) ?? null,
    pauses,
    incomplete: entries.filter(isIncomplete).length,
    incompleteDays: days.filter(day => day.entries.some(isIncomplete)).map(({ date }) => date),
    differs: {
      pauses: pauses.size > 0,
      deductions: entries.some(entry => isComplete(entry) && breakOf(entry) > 0),
      sources,
      hints: entries.some(entry => entry.flags.length > 0 || isUnusual(entry, { usualClock })),
    },
    usualClock,
  }
}

/** The most frequent value; the first of equals. */
function mostOf(names: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].reduce<[string | null, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    [null, 0],
  )[0]
}

/** Whether an entry's source differs from that of most entries of the month. */
export function isUnusual(
  { source, clockName }: TimeEntry,
  { usualClock }: Pick<Sheet, 'usualClock'>,
): boolean {
  return source === 'correction' || clockName !== usualClock
}

const isIncomplete = (entry: TimeEntry) => !entry.running && !isComplete(entry)

/** A key that is equal for equal sources. */
const sourceOf = ({ source, clockName }: TimeEntry) =>
  source === 'correction' ? source : `clock ${clockName}`

/** The name of an entry's clock, if it has one; corrections have no clock. */
const clockOf = ({ source, clockName }: TimeEntry) =>
  source === 'correction' || clockName === null ? [] : [clockName]

/** The break that was taken on a day, in minutes. */
export function pauseOf(day: Day, pauses: Sheet['pauses']): number {
  return day.entries.reduce((sum, entry) => sum + (pauses.get(entry.id) ?? 0), 0)
}

export function isComplete(entry: TimeEntry): boolean {
  return entry.start !== null && entry.end !== null
}

/** By day, in the service's order within a day (by start); the sort is stable. */
export function inOrder(one: TimeEntry, other: TimeEntry): number {
  return one.date < other.date ? -1 : one.date > other.date ? 1 : 0
}

function sumsOf(entries: readonly TimeEntry[]): Sums {
  return entries.reduce(
    (sums, entry) => ({
      net: sums.net + (entry.workedMinutesNet ?? 0),
      raw: sums.raw + (entry.workedMinutesRaw ?? 0),
      breaks: sums.breaks + breakOf(entry),
    }),
    NO_SUMS,
  )
}

/** The break, or the difference of raw and net time if it is unknown. */
export function breakOf(entry: TimeEntry): number {
  return entry.breakMinutes ?? (entry.workedMinutesRaw ?? 0) - (entry.workedMinutesNet ?? 0)
}

/** A shorter pause is no break by law, a longer one separates two shifts. */
const PAUSE_MINUTES = { least: 15, below: SHIFT_GAP_MINUTES }

function pausesOf(inTime: readonly TimeEntry[]): Map<string, number> {
  const pauses = new Map<string, number>()
  for (const [index, entry] of inTime.entries()) {
    const next = inTime[index + 1]
    const minutes = next === undefined ? null : minutesApart(entry, next)
    if (minutes !== null && minutes >= PAUSE_MINUTES.least && minutes < PAUSE_MINUTES.below) {
      pauses.set(entry.id, minutes)
    }
  }
  return pauses
}

/** The time from the end of one entry to the start of the next; null where a time is missing or ambiguous. */
function minutesApart(one: TimeEntry, next: TimeEntry): number | null {
  if (one.end === null || next.start === null) return null
  const endDay = endsNextDay(one) ? addDays(one.date, 1) : one.date
  if (isTwice(endDay, one.end) || isTwice(next.date, next.start)) return null
  return (instantOf(next.date, next.start).getTime() - instantOf(endDay, one.end).getTime()) / 60_000
}

/** The age of a running entry, in whole minutes; null for other entries. */
export function elapsedMinutes(entry: TimeEntry, now: Date): number | null {
  if (!entry.running || entry.start === null) return null
  const startInstant = instantOf(entry.date, entry.start)
  return Math.max(0, Math.floor((now.getTime() - startInstant.getTime()) / 60_000))
}
