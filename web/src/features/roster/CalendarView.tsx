/** The month as a calendar, with the people who can be assigned; on phones the month is a list of days. */
import { type ReactNode, useState } from 'react'
import { QueryView } from '../../patterns/QueryView'
import { byAlphabet } from '../../ui/alphabet'
import { dayOf, longDay, shortDay } from '../../ui/days'
import { CardList, Fold, Section } from '../../ui/layout'
import { CalendarToolbar, MonthCalendar } from '../../ui/MonthCalendar'
import { bounds, monthName } from '../../ui/months'
import { Skeleton } from '../../ui/states'
import { useNow } from '../../ui/useNow'
import { useWide } from '../../ui/useWide'
import { People } from './People'
import { type Duty, daysOf } from './plan'
import type { ViewProps } from './RosterPage'
import classes from './roster.module.css'
import { texts } from './texts'

/** The most duties of a day on a phone; the day's dialog lists all. */
const MOST_NAMED = 8

export function CalendarView(props: ViewProps) {
  const { roster, month } = props
  const wide = useWide()
  const [only, setOnly] = useState<string | null>(null)
  const names = new Map(roster.employees?.map(({ id, username }) => [id, username]))
  const duties = [...roster.plan].flatMap(([userId, days]) =>
    only === null || only === userId ? [...days.values()] : [],
  )
  const titles = duties
    .map(duty => ({ ...duty, username: names.get(duty.userId) ?? duty.username }))
    .sort((a, b) => byAlphabet(a.username, b.username))
  const { from, to } = bounds(month)
  const countOf = (userId: string) =>
    [...(roster.plan.get(userId)?.keys() ?? [])].filter(day => from <= day && day <= to).length
  const side = (
    <div className={classes.side}>
      <p className="muted">{texts.peopleHint}</p>
      <People people={roster.employees ?? []}>
        {shown => (
          <ul>
            {shown.map(({ id, username }) => (
              <li key={id}>
                <button
                  type="button"
                  aria-pressed={id === only}
                  onClick={() => setOnly(id === only ? null : id)}
                >
                  <span>{username}</span> <span className="muted">{texts.ofMonth(countOf(id))}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </People>
    </div>
  )
  const trouble = (
    <QueryView query={roster.duties} failed={texts.failed} skeleton={<Skeleton />}>
      {() => null}
    </QueryView>
  )
  return wide ? (
    <div className={classes.beside}>
      <Month {...props} duties={titles} trouble={trouble} />
      <Section title={texts.people}>{side}</Section>
    </div>
  ) : (
    <>
      <Days {...props} duties={titles} trouble={trouble} />
      <Fold line={<strong>{texts.people}</strong>}>{side}</Fold>
    </>
  )
}

interface MonthProps extends ViewProps {
  duties: readonly Duty[]
  trouble: ReactNode
}

function Month({ roster, month, onMonth, onDay, duties, trouble }: MonthProps) {
  return (
    <div>
      {trouble}
      <MonthCalendar
        month={month}
        onMonth={onMonth}
        caption={texts.calendar(monthName(month))}
        today={dayOf(useNow(30_000))}
        names={roster.names}
        onDay={{ open: onDay, label: day => texts.openDay(longDay(day)) }}
        entries={duties.map(duty => ({
          id: duty.id || `${duty.userId} ${duty.date}`,
          day: duty.date,
          label: duty.username,
          tone: 'duty',
          onPress: () => onDay(duty.date),
        }))}
      />
    </div>
  )
}

function Days({ roster, month, onMonth, onDay, duties, trouble }: MonthProps) {
  const today = dayOf(useNow(30_000))
  const days = daysOf(bounds(month))
  // The present month folds past days, so that today is on top.
  const over = month === today.slice(0, 7) ? days.filter(day => day < today) : []
  const list = (those: readonly string[], label: string) => (
    <CardList label={label} items={those} keyOf={day => day} look="joined">
      {day => {
        const { weekday, date } = shortDay(day)
        const names = duties.filter(duty => duty.date === day).map(({ username }) => username)
        return (
          <button type="button" className={classes.day} onClick={() => onDay(day)}>
            <time dateTime={day}>
              {weekday} {date}
            </time>
            <span>
              {roster.names[day] !== undefined && <em>{roster.names[day]} </em>}
              {names.slice(0, MOST_NAMED).join(', ') || <span className="muted">{texts.nobodyOnDuty}</span>}
              {names.length > MOST_NAMED && ` ${texts.andMore(names.length - MOST_NAMED)}`}
            </span>
          </button>
        )
      }}
    </CardList>
  )
  return (
    <>
      <CalendarToolbar month={month} onMonth={onMonth} />
      {trouble}
      {over.length > 0 && (
        <Fold line={texts.earlier(over.length)}>{list(over, texts.earlier(over.length))}</Fold>
      )}
      {list(days.slice(over.length), texts.calendar(monthName(month)))}
    </>
  )
}
