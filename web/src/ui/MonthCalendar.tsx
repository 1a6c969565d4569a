/**
 * A month as weeks of days, Monday first, as high as its content: three entries per day, and a link to the others. The
 * owner decides what a press does and what entries look like, apart from their tone. Meant for wide windows; phones
 * show a month as a list.
 */
import { type ReactNode, useEffect } from 'react'
import { Button } from './Button'
import { addDays, longDay, mondayOf, shortDay } from './days'
import { ChevronLeft, ChevronRight } from './icons'
import classes from './MonthCalendar.module.css'
import { addMonths, bounds, currentMonth, monthName } from './months'
import { texts } from './texts'
import { usePanel } from './usePanel'

export interface CalendarEntry {
  id: string
  /** `YYYY-MM-DD` */
  day: string
  label: string
  /** `duty` is the red of a rostered duty, `open` hatched: something is being decided. */
  tone: 'duty' | 'open' | 'leave' | 'note'
  /** Small text after the label: "07:00–15:30". */
  detail?: string | undefined
  icon?: ReactNode
  /** The press handler; without it the entry is not interactive. */
  onPress?: (() => void) | undefined
  /** The press as words, for screen readers. */
  action?: string | undefined
}

interface MonthCalendarProps {
  month: string
  onMonth: (month: string) => void
  entries: readonly CalendarEntry[]
  /** Names of days by date, such as public holidays. */
  names?: Readonly<Record<string, string>>
  today: string
  /** The day that a link led to. */
  marked?: string | null
  /** The handler and the name of a day's number, if it can be pressed. */
  onDay?: { open: (day: string) => void; label: (day: string) => string }
  legend?: ReactNode
  /** The table's name for screen readers. */
  caption: string
}

/** The most entries of a day before the link. */
const MOST_ENTRIES = 3

const WEEK = Array.from({ length: 7 }, (_, weekday) => weekday)
/** Any Monday. */
const MONDAY = '2024-01-01'

export function MonthCalendar(props: MonthCalendarProps) {
  const { month, onMonth, entries, names = {}, today, marked = null, legend, caption, onDay } = props
  const byDay = grouped(entries)
  return (
    <div className={classes.calendar}>
      <CalendarToolbar month={month} onMonth={onMonth} />
      {legend !== undefined && <div className={classes.legend}>{legend}</div>}
      <table className={classes.month}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {WEEK.map(weekday => (
              <th key={weekday} scope="col" abbr={weekdayName(weekday, 'long')}>
                {weekdayName(weekday, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map(monday => (
            <tr key={monday}>
              {WEEK.map(weekday => {
                const day = addDays(monday, weekday)
                return (
                  <Day
                    key={day}
                    day={day}
                    name={names[day]}
                    entries={byDay.get(day) ?? []}
                    beyond={day.slice(0, 7) !== month}
                    today={day === today}
                    marked={day === marked}
                    onDay={onDay}
                  />
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Previous, next, "Heute", and which month it is. */
export function CalendarToolbar({ month, onMonth }: Pick<MonthCalendarProps, 'month' | 'onMonth'>) {
  const present = currentMonth()
  return (
    <div className={classes.toolbar}>
      <button
        type="button"
        className={classes.step}
        aria-label={texts.previousMonth}
        onClick={() => onMonth(addMonths(month, -1))}
      >
        <ChevronLeft />
      </button>
      <button
        type="button"
        className={classes.step}
        aria-label={texts.nextMonth}
        onClick={() => onMonth(addMonths(month, 1))}
      >
        <ChevronRight />
      </button>
      <Button disabled={month === present} onClick={() => onMonth(present)}>
        {texts.today}
      </Button>
      <h2 className={classes.title} aria-live="polite">
        {monthName(month)}
      </h2>
    </div>
  )
}

interface DayProps {
  day: string
  name: string | undefined
  entries: readonly CalendarEntry[]
  /** A day of the month before or after. */
  beyond: boolean
  today: boolean
  marked: boolean
  onDay: MonthCalendarProps['onDay']
}

function Day({ day, name, entries, beyond, today, marked, onDay }: DayProps) {
  const [shown, more] = [entries.slice(0, MOST_ENTRIES), entries.length - MOST_ENTRIES]
  const look = `${beyond ? classes.beyond : ''} ${marked ? classes.marked : ''}`
  return (
    <td className={look} aria-current={today ? 'date' : undefined}>
      <p className={classes.head}>
        <time dateTime={day} className={today ? classes.today : undefined}>
          <span className="visually-hidden">{longDay(day)}</span>
          {onDay === undefined ? (
            <span aria-hidden="true">{Number(day.slice(8))}</span>
          ) : (
            <button type="button" aria-label={onDay.label(day)} onClick={() => onDay.open(day)}>
              {Number(day.slice(8))}
            </button>
          )}
        </time>
        {name !== undefined && <span className={classes.name}>{breakable(name)}</span>}
      </p>
      {shown.length > 0 && <Entries entries={shown} />}
      {more > 0 && <MoreEntries day={day} count={more} entries={entries} />}
    </td>
  )
}

function Entries({ entries }: { entries: readonly CalendarEntry[] }) {
  return (
    <ul className={classes.entries}>
      {entries.map(entry => (
        <li key={entry.id}>
          <CalendarThing entry={entry} />
        </li>
      ))}
    </ul>
  )
}

/** An entry of a day, as the calendar and a list of days show it. */
export function CalendarThing({ entry }: { entry: CalendarEntry }) {
  const { label, tone, detail, icon, onPress, action } = entry
  const inside = (
    <>
      {icon}
      <span className={classes.label}>{label}</span>{' '}
      {detail !== undefined && <span className={classes.detail}>{detail}</span>}
    </>
  )
  const look = `${classes.entry} ${classes[tone] ?? ''}`
  if (onPress === undefined) return <p className={look}>{inside}</p>
  return (
    <button type="button" className={`${look} ${classes.pressed}`} onClick={onPress}>
      {inside}
      {action !== undefined && <span className="visually-hidden">{action}</span>}
    </button>
  )
}

/** Soft hyphens let long day names break where their parts meet: not every browser hyphenates. */
const breakable = (name: string) =>
  name.replace(
    /(?<=\p{L}{3})(?=(?:mations|mon|sonn|kinder|leichnam|heiligen|nacht|fahrt|ferien|tag))/gu,
    '\u00ad',
  )

interface MoreProps {
  day: string
  count: number
  entries: readonly CalendarEntry[]
}

/** The link to what a day has no room for: all of the day's things, in a panel. */
function MoreEntries({ day, count, entries }: MoreProps) {
  const { open, button, panel, toggle } = usePanel<HTMLDivElement>()
  useEffect(() => {
    if (open) panel.current?.querySelector('button')?.focus()
  }, [open, panel])
  return (
    <div className={classes.more}>
      <button ref={button} type="button" className={classes.moreLink} aria-expanded={open} onClick={toggle}>
        {texts.moreThings(count)}
      </button>
      {open && (
        <div ref={panel} className={classes.panel}>
          <p className={classes.panelTitle}>{longDay(day)}</p>
          <Entries entries={entries} />
        </div>
      )}
    </div>
  )
}

function grouped(entries: readonly CalendarEntry[]): ReadonlyMap<string, CalendarEntry[]> {
  const entriesByDay = new Map<string, CalendarEntry[]>()
  for (const entry of entries) entriesByDay.set(entry.day, [...(entriesByDay.get(entry.day) ?? []), entry])
  return entriesByDay
}

/** The Mondays of the weeks that have a day of the month. */
export function weeksOf(month: string): string[] {
  const { from, to } = bounds(month)
  const mondays: string[] = []
  for (let monday = mondayOf(from); monday <= to; monday = addDays(monday, 7)) mondays.push(monday)
  return mondays
}

function weekdayName(weekday: number, length: 'short' | 'long'): string {
  const day = addDays(MONDAY, weekday)
  return length === 'short' ? shortDay(day).weekday : (longDay(day).split(',')[0] ?? '')
}
