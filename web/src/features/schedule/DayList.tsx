/** The month as a list of days, by week: for phones. */
import { useId, useState } from 'react'
import { Button } from '../../ui/Button'
import { dayInMonth, mondayOf, shortDay } from '../../ui/days'
import { Calendar, ChevronDown, Refresh } from '../../ui/icons'
import { CalendarThing, CalendarToolbar } from '../../ui/MonthCalendar'
import { currentMonth, monthName } from '../../ui/months'
import { EmptyState, Loading, Skeleton } from '../../ui/states'
import classes from './DayList.module.css'
import { texts } from './texts'
import { dutyThing, Legend, leaveThing, type MonthProps } from './things'
import { type DayRow, type Week, weeksWith, weekTitle } from './weeks'

export function DayList(props: MonthProps) {
  const { month, onMonth, trouble, duties } = props
  return (
    <div className={classes.month}>
      <CalendarToolbar month={month} onMonth={onMonth} />
      {duties === undefined ? (
        <>
          {trouble}
          <Loading>
            <Skeleton height={220} />
          </Loading>
        </>
      ) : (
        <Weeks {...props} duties={duties} />
      )}
    </div>
  )
}

function Weeks(props: MonthProps & { duties: NonNullable<MonthProps['duties']> }) {
  const { month, today, duties, leave, marked } = props
  const [all, setAll] = useState(false)
  const weeks = weeksWith(month, today, duties, leave)
  const empty = weeks.every(({ rows }) => rows.every(row => row.duties.length + row.leave.length === 0))
  if (empty) return <Empty {...props} />
  const present = mondayOf(today)
  const isEarlier = ({ monday }: Week) => month === today.slice(0, 7) && monday < present
  const hidden = all || (marked !== null && mondayOf(marked) < present) ? [] : weeks.filter(isEarlier)
  const count = hidden.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <>
      <div className={classes.legend}>
        <Legend />
      </div>
      {count > 0 && (
        <Button
          look="plain"
          className={classes.earlier ?? ''}
          icon={<ChevronDown size={18} />}
          onClick={() => setAll(true)}
        >
          {texts.earlier(count)}
        </Button>
      )}
      <div className={classes.weeks}>
        {weeks
          .filter(week => !hidden.includes(week))
          .map(week => (
            <WeekDays key={week.monday} week={week} {...props} />
          ))}
      </div>
    </>
  )
}

function WeekDays({ week, ...props }: MonthProps & { week: Week }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.week}>
        {weekTitle(week.monday, props.today)}
      </h3>
      <ol className={classes.days}>
        {week.rows.map(row => (
          <DayLine key={row.from} row={row} {...props} />
        ))}
      </ol>
    </section>
  )
}

function DayLine({ row, ...props }: MonthProps & { row: DayRow }) {
  const { from, to } = row
  const isToday = from === props.today
  const events = [
    ...row.duties.map(duty => dutyThing(duty, props)),
    ...row.leave.map(leave => leaveThing(from, leave)),
  ]
  return (
    <li
      className={classes.day}
      tabIndex={-1}
      aria-current={isToday ? 'date' : undefined}
      data-marked={from === props.marked || undefined}
      data-over={to < props.today || undefined}
    >
      <p className={classes.date}>
        <time dateTime={from}>
          <span className="visually-hidden">{dayInMonth(from)}</span>
          <Short day={from} />
        </time>
        {to !== from && (
          <time dateTime={to} className={classes.until}>
            <span className="visually-hidden">{texts.until(dayInMonth(to))}</span>
            <Short day={to} dash />
          </time>
        )}
        {isToday && <span className={classes.today}>{texts.today}</span>}
      </p>
      {events.length === 0 ? (
        <p className={classes.nothing}>{texts.noDutyToday}</p>
      ) : (
        <ul className={classes.events}>
          {events.map(event => (
            <li key={event.id}>
              <CalendarThing entry={event} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Short({ day, dash = false }: { day: string; dash?: boolean }) {
  const { weekday, date } = shortDay(day)
  return (
    <span aria-hidden="true">
      <span className={classes.weekday}>{dash ? texts.dashed(weekday) : weekday}</span> {date}
    </span>
  )
}

/** A sentence with a link to the next month or duty. */
function Empty({ month, onMonth, next, onLead, onLook }: MonthProps) {
  const present = currentMonth()
  const action =
    next !== null ? (
      <Button onClick={() => onLead(next.date)}>{texts.toNext}</Button>
    ) : month !== present ? (
      <Button onClick={() => onMonth(present)}>{texts.toThisMonth}</Button>
    ) : (
      <Button icon={<Refresh size={18} />} onClick={onLook}>
        {texts.lookAgain}
      </Button>
    )
  return (
    <EmptyState
      picture={<Calendar size={40} strokeWidth={1.6} />}
      sentence={texts.noDuties(monthName(month))}
      action={action}
    />
  )
}
