/** The user's plan for display: duties, leave and swap requests. Pure: `now` and `today` are arguments. */
import type { components } from '../../api/schema'
import type { LeavesOut } from '../../entities/absences/leftOut'
import { addDays, dayInMonth, instantOf, longDay, mondayOf } from '../../ui/days'
import { span } from '../../ui/durations'
import { addMonths, bounds } from '../../ui/months'
import { texts } from './texts'

type Rows = components['schemas']

/** `news`: not published yet, or the message about its change is unread. */
export type Duty = Pick<Rows['DutyRow'], 'id' | 'date' | 'start' | 'end'> & { news?: string | undefined }
/** A request of the user that waits for its recipient's answer. */
export type SwapRequest = Rows['AskedRow']
export type Leave = Pick<
  Rows['OwnRequestRow'],
  'id' | 'kind' | 'startDate' | 'endDate' | 'startHalf' | 'endHalf'
> &
  LeavesOut
export type Candidate = Pick<Rows['CandidateRow'], 'id' | 'username'> & { available: boolean }

export interface Range {
  from: string
  to: string
}

/** A duty's swap: a colleague has been asked to take it over, or will be once the request is sent. */
export type SwapState = 'asked' | 'waiting'

/** How many days ahead the next duty is looked up. */
export const AHEAD_DAYS = 60

/** Both as they come from the service: the user's own duties by day. */
export function ownDuties(
  rows: readonly Rows['DutyRow'][],
  userId: string,
  messages: readonly Pick<Rows['MessageRow'], 'payload'>[],
): Duty[] {
  // Only messages about the plan have days.
  const changed = messages.flatMap(({ payload }) => payload.dates ?? [])
  return rows
    .filter(row => row.userId === userId)
    .map(({ id, date, start, end, published }) => ({
      id,
      date: day(date),
      start,
      end,
      news: published === false ? texts.isNew : changed.includes(day(date)) ? texts.isChanged : undefined,
    }))
    .sort((a, b) => order(a) - order(b) || a.id.localeCompare(b.id))
}

export const askedRows = (rows: readonly SwapRequest[]): SwapRequest[] =>
  rows.map(row => ({ ...row, date: day(row.date) }))

export const approvedLeave = (rows: readonly Rows['OwnRequestRow'][]): Leave[] =>
  rows
    .filter(({ status }) => status === 'approved')
    .map(row => ({ ...row, startDate: day(row.startDate), endDate: day(row.endDate) }))

/** The day of a day or an instant. */
export const day = (date: string) => date.slice(0, 10)

/** The whole weeks that overlap the month. */
export function weeksAround(month: string): Range {
  const { from, to } = bounds(month)
  return { from: mondayOf(from), to: addDays(mondayOf(to), 6) }
}

/** The fetched range: this month and the next two, so that the next duty needs no further query. */
export function rangeAhead(today: string): Range {
  const month = today.slice(0, 7)
  const { to } = weeksAround(addMonths(month, 2))
  const minimum = addDays(today, AHEAD_DAYS)
  const last = [to, minimum].sort()[1] ?? to
  return { from: weeksAround(month).from, to: last }
}

export function covers(range: Range, month: string): boolean {
  const { from, to } = weeksAround(month)
  return range.from <= from && to <= range.to
}

/** A duty's start and end; without times it lasts its day. An end that does not read later is on the next day. */
export function beginOf({ date, start }: Duty): Date {
  return instantOf(date, start ?? '00:00')
}

export function endOf(duty: Duty): Date {
  if (duty.end === null) return instantOf(addDays(duty.date, 1), '00:00')
  return instantOf(endsNextDay(duty) ? addDays(duty.date, 1) : duty.date, duty.end)
}

const endsNextDay = ({ start, end }: Duty) => start !== null && end !== null && end <= start

/** The duties that are not over, the next one first, within the range. */
export function coming(duties: readonly Duty[], now: Date, today: string): Duty[] {
  const last = addDays(today, AHEAD_DAYS)
  return duties.filter(duty => duty.date <= last && endOf(duty) > now)
}

/** Whether it is running; unknown for a duty without times. */
export const isRunning = (duty: Duty, now: Date) =>
  duty.start !== null && beginOf(duty) <= now && now < endOf(duty)

/** From then on it cannot be handed over; a duty without times only after its day. */
export const hasBegun = (duty: Duty, now: Date, today: string) =>
  duty.date < today || (duty.date === today && duty.start !== null && beginOf(duty) <= now)

/** "Heute", "Morgen", "Freitag, 27. November". */
export function dayWord(date: string, today: string): string {
  if (date === today) return texts.today
  if (date === addDays(today, 1)) return texts.tomorrow
  if (date === addDays(today, -1)) return texts.yesterday
  return date.slice(0, 4) === today.slice(0, 4) ? dayInMonth(date) : longDay(date)
}

/** "07:00–15:30"; null for a duty without times. */
export function timesOf(duty: Duty): string | null {
  const { start, end } = duty
  if (start === null) return null
  if (end === null) return texts.from(start)
  return endsNextDay(duty) ? texts.overnight(start, end) : span(start, end)
}

export interface LeaveDay {
  id: string
  kind: Leave['kind']
  /** The half of the day, or null for the whole day. */
  half: 'second' | 'first' | null
}

/** Leave by day, within a range. */
export function leaveByDay(leave: readonly Leave[], { from, to }: Range): ReadonlyMap<string, LeaveDay[]> {
  const byDay = new Map<string, LeaveDay[]>()
  for (const { id, kind, startDate, endDate, startHalf, endHalf, leftOut } of leave) {
    for (let date = startDate; date <= endDate; date = addDays(date, 1)) {
      if (date < from || date > to) continue
      if (leftOut?.some(out => out.startDate <= date && date <= out.endDate)) continue
      const half = startHalf && date === startDate ? 'second' : endHalf && date === endDate ? 'first' : null
      byDay.set(date, [...(byDay.get(date) ?? []), { id, kind, half }])
    }
  }
  return byDay
}

const order = ({ date, start }: Duty) => Date.parse(`${date}T${start ?? '00:00'}Z`)
