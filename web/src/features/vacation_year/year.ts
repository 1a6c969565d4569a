/** Sums of the year's figures, and parsing and formatting of days and months. Pure. */
import { holdsDay } from '../../entities/absences/leftOut'
import { addDays, mondayOf, shortDay } from '../../ui/days'
import { bounds } from '../../ui/months'
import type { Leave, Person } from './useYear'

/** Whether a person has remaining days that no notice covers yet. */
export const isToBeTold = ({ days, until, noticeDays }: Person) =>
  days > 0 && until !== null && days > (noticeDays ?? 0)

/** The carried days, the days expiring by sent notices, and the number of people without a notice. */
export function previewOf(people: readonly Person[]) {
  const sum = (of: (person: Person) => number) => people.reduce((total, person) => total + of(person), 0)
  return {
    carries: sum(({ days }) => days),
    lapses: sum(({ days, noticeDays }) => Math.min(days, noticeDays ?? 0)),
    until: people.find(({ until }) => until !== null)?.until ?? null,
    toTell: people.filter(isToBeTold).length,
  }
}

/** The last day for an effective notice: four weeks before. */
export const lastDayToTell = (until: string) => addDays(until, -28)

/** "27,5"; null for an empty text, undefined for an invalid one. */
export function daysFrom(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const days = Number(text.trim().replace(',', '.'))
  return Number.isInteger(days * 2) && days >= 0 && days <= 366 ? days : undefined
}

export const daysTyped = (days: number | null | undefined) =>
  days == null ? '' : `${days}`.replace('.', ',')

/** "31.03." in the service's form, "03-31"; null for an empty text, undefined for an invalid one. */
export function carryFrom(text: string): string | null | undefined {
  if (text.trim() === '') return null
  const match = /^(\d{1,2})\.(\d{1,2})\.?$/.exec(text.trim())
  if (match === null) return undefined
  const [day, month] = [match[1], match[2]].map(part => `${part}`.padStart(2, '0'))
  const date = new Date(`2001-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(8, 10) === day
    ? `${month}-${day}`
    : undefined
}

export const carryTyped = (carry: string | null) => carry?.replace(/(\d\d)-(\d\d)/, '$2.$1.') ?? ''

export type Mark = 'away' | 'half' | 'asked'

const isDayOf = (leave: Leave, day: string) =>
  leave.startDate <= day && day <= leave.endDate && holdsDay(leave, day)

/** Marks by person and day of the month: away, away for half of the day, or requested. */
export function marksOf(leave: readonly Leave[], month: string): Map<string, Map<string, Mark>> {
  const within = daysOfMonth(month)
  const marksByPerson = new Map<string, Map<string, Mark>>()
  // Approved leave takes precedence over requests.
  const alive = leave.filter(({ status }) => status === 'approved' || status === 'pending')
  for (const request of [...alive].sort((a, b) => b.status.localeCompare(a.status))) {
    const days = marksByPerson.get(request.userId) ?? new Map<string, Mark>()
    marksByPerson.set(request.userId, days)
    for (const { day } of within.filter(each => isDayOf(request, each.day))) {
      const half =
        (day === request.startDate && request.startHalf) || (day === request.endDate && request.endHalf)
      const mark = request.status === 'pending' ? 'asked' : half && days.get(day) !== 'half' ? 'half' : 'away'
      if (days.get(day) !== 'away') days.set(day, mark)
    }
  }
  return marksByPerson
}

/** The days of a month, each with its heading: "Mo 2". */
export function daysOfMonth(month: string): { day: string; head: string; tinted: boolean }[] {
  const { from, to } = bounds(month)
  const columns: { day: string; head: string; tinted: boolean }[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const weekend = day > addDays(mondayOf(day), 4)
    columns.push({ day, head: `${shortDay(day).weekday} ${Number(day.slice(8))}`, tinted: weekend })
  }
  return columns
}
