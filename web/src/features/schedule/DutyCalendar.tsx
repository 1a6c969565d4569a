/** The month as a calendar: for wide windows. */
import { MonthCalendar } from '../../ui/MonthCalendar'
import { monthName } from '../../ui/months'
import classes from './DutyCalendar.module.css'
import { leaveByDay, weeksAround } from './plan'
import { texts } from './texts'
import { dutyThing, Legend, leaveThing, type MonthProps } from './things'

export function DutyCalendar(props: MonthProps) {
  const { month, onMonth, today, duties, leave, marked, trouble } = props
  const free = [...leaveByDay(leave, weeksAround(month))].flatMap(([day, things]) =>
    things.map(thing => leaveThing(day, thing)),
  )
  const entries = [...(duties ?? []).map(duty => dutyThing(duty, props)), ...free]
  const isEmpty = duties !== undefined && !duties.some(({ date }) => date.startsWith(month))
  return (
    <>
      {trouble}
      <MonthCalendar
        month={month}
        onMonth={onMonth}
        entries={entries}
        today={today}
        marked={marked}
        caption={texts.calendar(monthName(month))}
        legend={
          <>
            <Legend />
            <span className={classes.none} role="status">
              {isEmpty && texts.noDuties(monthName(month))}
            </span>
          </>
        }
      />
    </>
  )
}
