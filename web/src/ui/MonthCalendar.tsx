/**
 * A month as weeks of days, Monday first, as high as what stands in it: three things a day, and a link to the others.
 * What is pressed, and what a day's things look like beyond their tone, is their owner's business. For windows with room;
 * on a phone a month is a list.
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
  /** Beside the label, in small: "07:00–15:30". */
  detail?: string | undefined
  icon?: ReactNode
  /** What a press does; without it the thing is only looked at. */
  onPress?: (() => void) | undefined
  /** What a press does, as words, for whoever does not see the calendar. */
  action?: string | undefined
}

interface MonthCalendarProps {
  month: string
  onMonth: (month: string) => void
  entries: readonly CalendarEntry[]
  /** By day: what it is called, such as a public holiday. */
  names?: Readonly<Record<string, string>>
  today: string
  /** The day that somebody was led to. */
  marked?: string | null
  /** What a press of a day's number does, and what it is called, where it does anything. */
  onDay?: { open: (day: string) => void; label: (day: string) => string }
  legend?: ReactNode
  /** What the table is called by whoever reads it aloud. */
  caption: string
}

/** So many stand in a day before the link. */
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
  /** Of the month before or after. */
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

/** One thing of a day, as it stands in the calendar and in a list of days. */
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

/** Long words of a day's name may break where their parts meet: not every browser knows that by itself. */
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
