/**
 * The months around a person's leave, day by day: their own plans, holidays, and other people's leave. The list below
 * has the same content.
 */
import { addDays, daysFrom, mondayOf, shortDay } from '../../ui/days'
import { Facts } from '../../ui/layout'
import { spansOfDays } from '../../ui/writtenDays'
import type { Around } from './rows'
import classes from './Strip.module.css'
import { texts } from './texts'

interface StripProps {
  days: readonly Around[]
  /** The requested range, by its first and last day. */
  first: string
  last: string
}

/** The margin before and after a long span; short spans show whole months. */
const MARGIN_DAYS = 14
const MOST_DAYS = 62

export function Strip({ days, first, last }: StripProps) {
  const shownDays =
    days.length <= MOST_DAYS
      ? days
      : days.filter(({ date }) => date >= addDays(first, -MARGIN_DAYS) && date <= addDays(last, MARGIN_DAYS))
  const requestedDays = shownDays.filter(({ date }) => date >= first && date <= last)
  return (
    <>
      <ol className={classes.strip} aria-hidden="true">
        {shownDays.map((day, index) => (
          <Day
            key={day.date}
            day={day}
            // Mondays are aligned.
            start={index === 0 ? daysFrom(mondayOf(day.date), day.date) + 1 : undefined}
            asked={day.date >= first && day.date <= last}
          />
        ))}
      </ol>
      <Facts
        facts={[
          daysByText(
            texts.holidays,
            requestedDays.filter(({ holiday }) => holiday !== null),
            ({ holiday }) => holiday,
          ),
          datesOf(
            texts.duties,
            requestedDays.filter(({ duty }) => duty),
          ),
          daysByText(
            texts.away,
            requestedDays.filter(({ away }) => away.length > 0),
            ({ away }) => away.join(', '),
          ),
        ]}
      />
    </>
  )
}

interface DayProps {
  day: Around
  start: number | undefined
  asked: boolean
}

function Day({ day: { date, holiday, free, duty, own, away }, start, asked }: DayProps) {
  const { weekday } = shortDay(date)
  return (
    <li
      className={classes.day}
      style={start === undefined ? undefined : { gridColumnStart: start }}
      data-asked={asked || undefined}
      data-free={free || holiday !== null || undefined}
      data-own={(!asked && own) || undefined}
    >
      <span className={classes.weekday}>{weekday}</span>
      <span className={classes.number}>{Number(date.slice(8))}</span>
      <span className={classes.marks}>
        {holiday !== null && <span>{texts.holidayMark}</span>}
        {duty && <span className={classes.duty}>{texts.dutyMark}</span>}
        {away.length > 0 && <span className={classes.away}>{initials(away)}</span>}
      </span>
    </li>
  )
}

/** The initials of one person, or the number of several. */
export function initials(names: readonly string[]): string {
  const [name = ''] = names
  if (names.length > 1) return `+${names.length}`
  return name
    .split(/\s+/)
    .map(word => word.charAt(0).toLocaleUpperCase('de'))
    .slice(0, 2)
    .join('')
}

const datesOf = (term: string, days: readonly Around[]) =>
  days.length > 0 && { term, value: spansOfDays(days.map(({ date }) => date)).join(', ') }

/** Merges days with the same text into one line. */
function daysByText(term: string, days: readonly Around[], say: (day: Around) => string | null) {
  const bySaid = new Map<string, string[]>()
  for (const day of days) {
    const dayText = say(day) ?? ''
    bySaid.set(dayText, [...(bySaid.get(dayText) ?? []), day.date])
  }
  const lines = [...bySaid].map(([said, dates]) => `${said}: ${spansOfDays(dates).join(', ')}`)
  return lines.length > 0 && { term, value: <span className={classes.lines}>{lines.join('\n')}</span> }
}
