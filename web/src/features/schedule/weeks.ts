/** The whole weeks of a month as lists of their days: those with content and today. Pure. */
import { addDays, daysFrom, mondayOf, shortDay } from '../../ui/days'
import { type Duty, type Leave, type LeaveDay, leaveByDay, weeksAround } from './plan'
import { texts } from './texts'

export interface DayRow {
  from: string
  /** Differs from `from` for leave over several days without other content. */
  to: string
  duties: Duty[]
  leave: LeaveDay[]
}

export interface Week {
  monday: string
  rows: DayRow[]
}

export function weeksWith(
  month: string,
  today: string,
  duties: readonly Duty[],
  leave: readonly Leave[],
): Week[] {
  // Whole weeks, or days after the month's end would look free.
  const { from, to } = weeksAround(month)
  const free = leaveByDay(leave, { from, to })
  const weeks: Week[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const row = {
      from: day,
      to: day,
      duties: duties.filter(({ date }) => date === day),
      leave: free.get(day) ?? [],
    }
    if (row.duties.length === 0 && row.leave.length === 0 && day !== today) continue
    const monday = mondayOf(day)
    const week = weeks.at(-1)
    if (week?.monday !== monday) {
      weeks.push({ monday, rows: [row] })
      continue
    }
    const previousRow = week.rows.at(-1)
    if (previousRow !== undefined && goesOn(previousRow, row, today)) previousRow.to = day
    else week.rows.push(row)
  }
  return weeks
}

/** Whether a day continues the same leave. */
function goesOn(before: DayRow, row: DayRow, today: string): boolean {
  const [one, other] = [before.leave[0], row.leave[0]]
  const alone = [before, row].every(({ duties, leave }) => duties.length === 0 && leave.length === 1)
  return (
    alone &&
    one?.id === other?.id &&
    one?.half === null &&
    other?.half === null &&
    addDays(before.to, 1) === row.from &&
    row.from !== today &&
    before.to !== today
  )
}

/** "Diese Woche · 23.11.–29.11.", "KW 49 · 30.11.–06.12." */
export function weekTitle(monday: string, today: string): string {
  const days = texts.days(shortDay(monday).date, shortDay(addDays(monday, 6)).date)
  const present = mondayOf(today)
  if (monday === present) return texts.thisWeek(days)
  if (monday === addDays(present, 7)) return texts.nextWeek(days)
  return texts.week(weekNumber(monday), days)
}

/** ISO 8601: a week belongs to the year of its Thursday. */
export function weekNumber(monday: string): number {
  const thursday = addDays(monday, 3)
  return Math.floor(daysFrom(`${thursday.slice(0, 4)}-01-01`, thursday) / 7) + 1
}
